import Testing

@testable import SquallFit

@Suite("The unit of durations that do not say theirs")
struct DurationUnitTests {
    /// Samples of 40 users, each with five screens of three calls that begin together and last
    /// around 150 ms; the lines have the time at which a call ended, and the duration in seconds.
    private static func screens(apart: Int64 = 9_000_000_000) -> [DurationUnit.Sample] {
        var samples: [DurationUnit.Sample] = []
        var number: UInt64 = 7
        for person in 1...40 {
            for screen in 0..<5 {
                let began = Int64(person) * 1_000_000 + Int64(screen) * apart
                for _ in 0..<3 {
                    number = number &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    let milliseconds = 60 + Int64(number >> 40) % 240
                    samples.append(
                        .init(
                            // In seconds with three decimals, read as milliseconds on trial.
                            number: Double(milliseconds) * 1e3,
                            time: began + milliseconds * 1_000_000, isBeginning: false,
                            isWholeSecond: false, person: UInt64(person), between: nil))
                }
            }
        }
        return samples
    }

    @Test("Calls that an app makes at once do not make seconds milliseconds")
    func callsAtOnce() {
        #expect(DurationUnit.power(of: Self.screens(), custom: nil).power == 9)
    }

    @Test(
        "Slow responses after which users pause are seconds, and numbers without that are not",
        arguments: [(0.3, 3.0, 9), (5, 60, 9), (0.3, 3.0, 6)])
    func slow(least: Double, most: Double, power: Int) {
        var units = Units01(seed: 5)
        let second = power == 9 ? 1e9 : 1e6
        let samples = (1...30).flatMap { person in
            var end = 0.0
            return (0..<40).map { _ in
                let number = least + (most - least) * units.next()
                end += units.exponential(6) * 1e9 + number * second
                return DurationUnit.Sample(
                    number: number * 1e6, time: Int64(end), isBeginning: false,
                    isWholeSecond: false, person: UInt64(person), between: nil)
            }
        }
        #expect(DurationUnit.power(of: samples, custom: nil).power == power)
    }

    @Test("Durations that overlap the same user's next screens are not seconds")
    func tooLong() {
        let samples = Self.screens(apart: 400_000_000).map {
            DurationUnit.Sample(
                number: $0.number * 1e3, time: $0.time, isBeginning: false, isWholeSecond: false,
                person: $0.person, between: nil)
        }
        #expect(DurationUnit.power(of: samples, custom: nil).power == 6)
    }

    @Test(
        "Where times are whole seconds, a size between two units is not known",
        arguments: [(570, nil, true), (570, 3, false), (21, nil, false), (45_000, nil, false)])
    func doubt(size: Int, custom: Int?, isDoubtful: Bool) {
        let samples = (0..<200).map { (index: Int) -> DurationUnit.Sample in
            let number = Double(size + index % 40) * 1e6
            return DurationUnit.Sample(
                number: number, time: Int64(index) * 3_000_000_000, isBeginning: false,
                isWholeSecond: true, person: UInt64(index % 9 + 1), between: nil)
        }
        let other: Int? = DurationUnit.power(of: samples, custom: custom).other
        #expect((other != nil) == isDoubtful)
    }

    @Test("A doubtful unit leaves durations unknown, and both readings are said")
    func notKnown() throws {
        var traffic = MadeTraffic(seed: 3)
        traffic.add(users: 0..<12, until: 400)
        let log = try traffic.log { request in
            request.combined(
                MadeTraffic.address(request.user), at: request.end,
                more: " \(500 + Int(request.span * 5_000))")
        }
        #expect(log.reading.withDuration == 0)
        let text = MadeTraffic.document(TrafficFit(log))
        #expect(text.contains("milliseconds (median") && text.contains("microseconds (median"))
    }
}
