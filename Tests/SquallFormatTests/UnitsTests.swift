import SquallFormat
import TestSupport
import Testing

@Suite("Units")
struct UnitsTests {
    @Test(
        "Durations are read exactly",
        arguments: [
            ("0s", 0), ("1ns", 1), ("300ms", 300_000_000), ("1.5s", 1_500_000_000),
            ("1us", 1_000), ("1µs", 1_000), ("0.000000001s", 1), ("1h30m", 5_400_000_000_000),
            ("1m30.5s", 90_500_000_000), ("30d", 2_592_000_000_000_000), ("1.50s", 1_500_000_000),
            ("106751d", 9_223_286_400_000_000_000),
        ] as [(String, Int64)])
    func durations(text: String, nanoseconds: Int64) throws {
        #expect(try Units.nanoseconds(text) == nanoseconds)
    }

    @Test(
        "The spans of settings are as long as their names say",
        arguments: [
            ("1ms", Span.millisecond), ("1s", Span.second), ("1h", Span.hour), ("1d", Span.day),
            ("366d", Span.year),
        ])
    func spans(text: String, nanoseconds: Int64) throws {
        #expect(try Units.nanoseconds(text) == nanoseconds)
    }

    @Test(
        "A text that is no duration is refused with the reason",
        arguments: [
            ("", UnitError.notADuration("")), ("s", .notADuration("s")),
            ("30", .missingUnit("30")), ("1m30", .missingUnit("1m30")),
            ("-3s", .notADuration("-3s")), ("3 s", .notADuration("3 s")),
            ("3x", .notADuration("3x")), ("1s1m", .notADuration("1s1m")),
            ("1s1s", .notADuration("1s1s")), ("1..5s", .notACount("1..5s")),
            (".5s", .notACount(".5s")), ("5.s", .notACount("5.s")), ("٣s", .notADuration("٣s")),
            ("0.1ns", .tooFine("0.1ns")), ("1.05ns", .tooFine("1.05ns")),
            ("106752d", .tooLarge("106752d")),
            ("9223372036854775808ns", .tooLarge("9223372036854775808ns")),
            ("106751d24h", .tooLarge("106751d24h")),
        ])
    func notDurations(text: String, error: UnitError) {
        #expect(throws: error) { try Units.nanoseconds(text) }
    }

    @Test("An exact duration reads back as itself", arguments: 1...50)
    func exactRoundTrip(seed: UInt64) throws {
        var numbers = Numbers(seed: seed)
        for bits in 1...62 {
            let nanoseconds = numbers.next(upToBits: bits)
            let text = Units.exact(nanoseconds: nanoseconds)
            #expect(try Units.nanoseconds(text) == nanoseconds)
        }
    }

    @Test("An approximate duration reads back within half a percent", arguments: 1...50)
    func approximateRoundTrip(seed: UInt64) throws {
        var numbers = Numbers(seed: seed)
        for bits in 1...45 {
            let nanoseconds = numbers.next(upToBits: bits)
            let text = Units.approximate(nanoseconds: nanoseconds)
            let read = try Units.nanoseconds(text.replacing(" ", with: ""))
            // Minutes are shown with their seconds and hours with their minutes, never rounded up.
            let error = Double(abs(read - nanoseconds)) / Double(max(nanoseconds, 1))
            #expect(error <= (nanoseconds < 60_000_000_000 ? 0.005 : 0.042), "\(text)")
            #expect(text.count <= 8, "\(text)")
        }
    }

    @Test(
        "Durations for people have three digits or two units",
        arguments: [
            (0, "0 s"), (999, "999 ns"), (1_000, "1 µs"), (999_499, "999 µs"), (999_600, "1 ms"),
            (12_345_678, "12.3 ms"), (1_234_567_890, "1.23 s"), (59_990_000_000, "60 s"),
            (65_000_000_000, "1m05s"), (12_345_000_000_000, "3h25m"),
            (200_000_000_000_000, "2d07h"),
        ] as [(Int64, String)])
    func approximate(nanoseconds: Int64, text: String) {
        #expect(Units.approximate(nanoseconds: nanoseconds) == text)
    }

    @Test(
        "Counts may have multiples and underscores",
        arguments: [
            ("250", 250), ("10k", 10_000), ("1.5M", 1_500_000), ("10_000", 10_000),
            ("2G", 2_000_000_000),
        ] as [(String, Int64)])
    func counts(text: String, count: Int64) throws {
        #expect(try Units.count(text) == count)
    }

    @Test(
        "A text that is no whole number is refused",
        arguments: [
            "", "k", "1.5", "1.05", "1.00001k", "1x", "-1", "1e3", "0x10",
            // Too large by its whole part, which wraps around to above zero, and by its decimals.
            "20000000000000000.5k", "9223372036854775.9k",
        ])
    func notCounts(text: String) {
        #expect(throws: UnitError.self) { try Units.count(text) }
    }

    @Test("A seed is a number of digits, and a sign is none")
    func seeds() {
        #expect(Units.seed("42") == 42 && Units.seed("0x2A") == 42)
        for text in ["", "+42", "-1", "0x", "0x+5", "4 2", "18446744073709551616"] {
            #expect(Units.seed(text) == nil, "\(text)")
        }
    }

    @Test("A text that is no quantity is refused with an example of one")
    func reasons() {
        #expect("\(UnitError.notADuration("x"))".contains("write for example 300ms"))
        #expect("\(UnitError.missingUnit("5"))".contains("as in 5s"))
        #expect("\(UnitError.missingUnit("1h30"))".contains("as in 1h30m"))
        #expect(throws: UnitError.notWhole("1.5")) { try Units.count("1.5") }
        #expect("\(UnitError.notACount("x"))".contains("write for example 250"))
        #expect("\(UnitError.tooLarge("9d"))" == "'9d' is too large")
        #expect("\(UnitError.tooFine("0.1ns"))".contains("finer than the smallest unit"))
    }

    @Test(
        "Numbers for people have three digits, groups of thousands and units",
        arguments: [
            (Units.grouped(1_234_567), "1 234 567"), (Units.grouped(999), "999"),
            (Units.grouped(-1_000), "-1 000"), (Units.approximate(count: 9_999), "9 999"),
            (Units.approximate(count: 12_345), "12.3k"),
            (Units.approximate(count: 999_499), "999k"),
            (Units.approximate(count: 999_500), "1M"), (Units.percent(0.0321), "3.21 %"),
            (Units.percent(0), "0 %"), (Units.percent(2.211), "221 %"),
            (Units.percent(0.00001234), "0.0012 %"), (Units.threeDigits(-0.5), "-0.5"),
            (Units.threeDigits(1e18), "1e+18"), (Units.threeDigits(29_182.4), "29 182"),
            (Units.threeDigits(-1_234.5), "-1 235"), (Units.threeDigits(999.4), "999"),
            (Units.rate(perSecond: 29_182.4), "29 182/s"),
            (Units.rate(perSecond: 3.456), "3.46/s"),
            (Units.readable(29_182.4, significant: 4), "29 182"),
            (Units.readable(1_234.56, significant: 4), "1 235"),
            (Units.scientific(0.062_234), "0.0622"), (Units.scientific(0.000_031_2), "3.12·10⁻⁵"),
            (Units.scientific(-1e-12), "-1·10⁻¹²"), (Units.scientific(0), "0"),
            (Units.setting(nanoseconds: 120_000_000_000), "2m"),
            (Units.setting(nanoseconds: 90_500_000_000), "1m30.5s"),
            (Units.setting(nanoseconds: 86_662_964), "86.7 ms"),
            (Units.digits(66.8732, significant: 6), "66.8732"),
            (Units.digits(1.0 / 3, significant: 6), "0.333333"),
            (Units.digits(1_234_567.8, significant: 6), "1234568"),
            (Units.counted(1, "file"), "1 file"), (Units.counted(0, "file"), "0 files"),
        ])
    func people(text: String, expected: String) {
        #expect(text == expected)
    }

    @Test(
        "Seeds are decimal or hexadecimal, 64 bits at most",
        arguments: [
            ("1", 1), ("0x2a", 42), ("18446744073709551615", .max), ("0xffffffffffffffff", .max),
            ("18446744073709551616", nil), ("", nil), ("0x", nil), ("-1", nil), ("abc", nil),
        ] as [(String, UInt64?)])
    func seeds(text: String, seed: UInt64?) {
        #expect(Units.seed(text) == seed)
    }
}

@Suite("Spelling")
struct SpellingTests {
    @Test(
        "The nearest name is suggested, when there is one",
        arguments: [
            ("--user", "--users"), ("--sede", "--seed"), ("SEED", "--seed"), ("--usres", "--users"),
            ("--jsn", "--json"), ("--nothing", nil), ("", nil), ("--jsab", "--json"),
            ("--jsabc", nil),
            // Two neighbours swapped twice, from the first letter on, and three times.
            ("esde", "seed"), ("badcfe", nil),
            // Two of three letters make another name.
            ("s99", nil), ("s1", "s13"),
            // The beginning of one name alone.
            ("expired", "expiredToken"), ("--s", nil),
        ] as [(String, String?)])
    func nearest(word: String, name: String?) {
        let names = ["--seed", "--users", "--json", "seed", "abcdef", "s13", "expiredToken"]
        let expected = word == "SEED" ? "seed" : name
        #expect(Spelling.nearest(to: word, among: names) == expected)
    }
}
