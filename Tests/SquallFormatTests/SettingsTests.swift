import Testing

@testable import SquallFormat

@Suite("The language of settings")
struct SettingsTests {
    /// A section with one of everything.
    private struct Shop: Equatable {
        let name: String
        let seats: Int
        let opens: Int64
        let share: Double?
        let prices: [Int]

        init(_ read: inout SettingsReader) {
            name = read("name", .text(1...5), "What it is called; shown to nobody.")
            seats = read("seats", .integer(1...9), otherwise: 4, "How many sit.")
            opens = read("opens", .duration(0...Span.day), otherwise: "9h", "When it opens.")
            share = read.optional("share", .number(0...1), "What is left over.")
            prices = read("prices", .list(of: .integer(0...99), 0...3), otherwise: [], "Prices.")
            if read.isSound("seats", "opens"), seats == 9, opens > 0 {
                read.report(at: read.path.appending("seats"), "nine sit at midnight only")
            }
        }
    }

    private static let format = SettingFormat.section { Shop(&$0) }

    private func read(_ text: String) throws -> (Shop, [SettingProblem]) {
        var problems = SettingProblems()
        let node = try JSONParser.parse(Array(text.utf8))
        return (Self.format.value(of: node, &problems), problems.all)
    }

    @Test("A setting that is left out has its default, and a given one its value")
    func values() throws {
        let (shop, problems) = try read(#"{"name": "Inn", "prices": [3, 5]}"#)
        #expect(problems.isEmpty && shop.name == "Inn" && shop.seats == 4 && shop.share == nil)
        #expect(shop.opens == 9 * Span.hour && shop.prices == [3, 5])
    }

    @Test("All problems are found at once, and a rule waits for the settings it is about")
    func problems() throws {
        let text = #"{"seats": 10, "opens": "x", "prices": [1, 100], "shar": 1}"#
        #expect(
            try read(text).1.map { "\($0.path) \($0.label)" } == [
                "name missingKey", "seats outOfRange", "opens wrongType", "prices[1] outOfRange",
                "shar unknownKey",
            ])
        #expect(try read(#"{"name": "Inn", "seats": 9}"#).1.map(\.label) == [.contradiction])
    }

    @Test(
        "A choice of settings has exactly one member, of a known name",
        arguments: [
            (#"{"seats": 3}"#, 3, []), (#"{"more": 30}"#, 30, []),
            ("{}", nil, ["the profile wrongType"]),
            (#"{"seats": 3, "more": 30}"#, nil, ["the profile wrongType"]),
            (#"{"seat": 3}"#, nil, ["seat unknownKey"]), ("3", nil, ["the profile wrongType"]),
        ] as [(String, Int?, [String])])
    func alternatives(text: String, seats: Int?, found: [String]) throws {
        let format = SettingFormat<Int64>.oneOf([
            Setting("seats", .integer(1...9), "How many sit."),
            Setting("more", .integer(10...99), "How many stand."),
        ])
        var problems = SettingProblems()
        let value = format.value(of: try JSONParser.parse(Array(text.utf8)), &problems)
        #expect(seats.map { Int64($0) == value } ?? !problems.all.isEmpty)
        #expect(problems.all.map { "\($0.path) \($0.label)" } == found)
    }

    @Test("A reader tells the keys that are in the text, in its order")
    func keys() throws {
        let format = SettingFormat.section { read -> [String] in
            _ = read.optional("a", .integer(1...9), "One.")
            _ = read.optional("b", .integer(1...9), "Another.")
            return read.keys
        }
        var problems = SettingProblems()
        let text = #"{"b": 2, "a": 1}"#
        #expect(
            format.value(of: try JSONParser.parse(Array(text.utf8)), &problems) == ["b", "a"])
    }

    @Test("A section's reader also describes its settings for the reference")
    func description() {
        let rows = Self.format.shape.inner.settings
        #expect(rows.map(\.key) == ["name", "seats", "opens", "share", "prices"])
        #expect(rows.map(\.presence).prefix(3) == [.required, .otherwise(4), .otherwise("9h")])
        #expect(
            rows.reference[0].lines == [
                "name · text · required", "    What it is called; shown to nobody.",
            ])
    }

    @Test("A checked setting is the value that its format makes of it")
    func checked() throws {
        var problems = SettingProblems()
        let format = SettingFormat<Int64>.duration(0...Span.hour)
        let setting = format.checking.value(of: JSONNode("5s"), &problems)
        #expect(problems.all.isEmpty && setting.value(as: format) == 5 * Span.second)
        _ = format.checking.value(of: JSONNode("5h"), &problems)
        #expect(problems.all.map(\.label) == [.outOfRange])
    }

    @Test(
        "A setting's path reads back as it is written",
        arguments: ["seed", "a[0].b", "a.b[10][2].c"])
    func paths(text: String) { #expect(SettingPath(text)?.description == text) }

    @Test("Paths overlap when one leads to a part of what the other leads to")
    func overlapping() throws {
        let paths = try ["a", "a[0].b", "a[1]"].map { try #require(SettingPath($0)) }
        #expect(paths[0].overlaps(paths[1]) && paths[1].overlaps(paths[0]))
        #expect(!paths[1].overlaps(paths[2]))
        #expect(paths[0].leads(to: paths[2]) && !paths[2].leads(to: paths[0]))
    }

    @Test("A range of one value is written as that value")
    func ranges() {
        #expect(ValueRange.text(5...5) == "5" && ValueRange.text(1...1_000) == "1…1 000")
    }

    @Test("A value is put where a path says, and nowhere beyond a list's end")
    func replacing() throws {
        let document = try JSONParser.parse(Array(#"{"a": [{"b": 1}]}"#.utf8))
        let path = try #require(SettingPath("a[0].c.d"))
        let changed = try #require(document.replacing(path, with: JSONNode(2)))
        #expect(JSON(changed) == ["a": [["b": 1, "c": ["d": 2]]]])
        let beyond = try #require(SettingPath("a[1].b"))
        #expect(document.replacing(beyond, with: JSONNode(2)) == nil)
    }
}
