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

    @Test("Durations that overlap the same user's next screens are not seconds")
    func tooLong() {
        let samples = Self.screens(apart: 400_000_000).map {
            DurationUnit.Sample(
                number: $0.number * 1e3, time: $0.time, isBeginning: false, isWholeSecond: false,
                person: $0.person, between: nil)
        }
        #expect(DurationUnit.power(of: samples, custom: nil).power == 6)
    }
}
