import SquallKernel
import Testing

@testable import SquallLab

@Suite("Arrivals of sessions")
struct ArrivalTests {
    private static let second: Int64 = 1_000_000_000

    static let shapes: [(String, total: Double, half: Double)] = [
        (#"{"constant": {"rate": 5, "for": "60s"}}"#, 300, 150),
        // A triangle: its first half holds a quarter of it.
        (#"{"ramp": {"from": 0, "to": 10, "for": "60s"}}"#, 300, 75),
        (#"{"ramp": {"from": 8, "to": 2, "for": "60s"}}"#, 300, 195),
        // 2 + 4 + 6 + 8 a second for 15 s each.
        (#"{"stairs": {"from": 2, "to": 8, "steps": 4, "every": "15s"}}"#, 300, 90),
        (
            #"{"spike": {"base": 1, "peak": 25, "before": "20s", "width": "10s", "after": "30s"}}"#,
            300, 270
        ),
        // A whole period adds nothing to the mean; the half around the peak at 0 neither.
        (
            #"{"sine": {"mean": 5, "swing": 1, "period": "60s", "peakAt": "0s", "for": "60s"}}"#,
            300, 150
        ),
        // From trough to peak: the mean's 150 less nothing, since both halves are mirror images.
        (
            #"{"sine": {"mean": 5, "swing": 0.5, "period": "2m", "peakAt": "30s", "for": "60s"}}"#,
            300 + 0.5 * 5 * 120 / .pi, 150 + 0.5 * 5 * 60 / .pi
        ),
    ]

    @Test("A shape expects the integral of its rate", arguments: shapes)
    func integrals(shape: String, total: Double, half: Double) throws {
        let process = try process(shape, spacing: "even")
        #expect(abs(process.expected(until: 60 * Self.second) - total) < 1e-6)
        #expect(abs(process.expected(until: 30 * Self.second) - half) < 1e-6)
    }

    @Test("Even spacing lets a session arrive whenever one more is expected", arguments: shapes)
    func even(shape: String, total: Double, half: Double) throws {
        let instants = arrivals(of: try process(shape, spacing: "even"))
        #expect(instants.count == Int(total + 1e-6))
        let inHalf = instants.count { $0 <= 30 * Self.second }
        #expect(abs(inHalf - Int(half)) <= 1)
        #expect(zip(instants, instants.dropFirst()).allSatisfy { $0 <= $1 })
    }

    @Test("Evenly spaced, ten sessions a second arrive every hundred milliseconds")
    func regular() throws {
        let process = try process(#"{"constant": {"rate": 10, "for": "1s"}}"#, spacing: "even")
        #expect(arrivals(of: process) == (1...10).map { $0 * 100_000_000 })
    }

    @Test("Poisson arrivals are as many as expected within four deviations", arguments: shapes)
    func poisson(shape: String, total: Double, half: Double) throws {
        let counts = try (1...40).map { seed in
            arrivals(of: try process(shape, spacing: "poisson", seed: UInt64(seed)))
        }
        let all = Double(counts.reduce(0) { $0 + $1.count })
        let first = Double(counts.reduce(0) { $0 + $1.count { $0 <= 30 * Self.second } })
        #expect(abs(all - 40 * total) < 4 * (40 * total).squareRoot())
        #expect(abs(first - 40 * half) < 4 * (40 * half).squareRoot())
    }

    @Test("The number of Poisson arrivals varies as much as it should")
    func dispersion() throws {
        let counts = try (1...400).map { seed in
            Double(
                arrivals(
                    of: try process(
                        #"{"constant": {"rate": 5, "for": "10s"}}"#, spacing: "poisson",
                        seed: UInt64(seed))
                ).count)
        }
        let mean = counts.reduce(0, +) / 400
        let variance = counts.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 399
        // Variance over mean is 1 with a standard deviation of √(2/399).
        let deviation = (2.0 / 399).squareRoot()
        #expect(abs(variance / mean - 1) < 4 * deviation)
    }

    @Test("Stages follow each other and end with the last")
    func stages() throws {
        let stages = #"""
            {"constant": {"rate": 1, "for": "3s"}}, {"constant": {"rate": 2, "for": "2s"}}
            """#
        let instants = arrivals(of: try process(stages, spacing: "even"))
        #expect(instants.map { $0 / 100_000_000 } == [10, 20, 30, 35, 40, 45, 50])
    }

    @Test("A trace is replayed to the nanosecond, several arrivals at once included")
    func trace() throws {
        let profile = try Profile.read(
            ArrivalTests.profile(#"{"trace": {"file": "t.txt"}}"#, spacing: "even"))
        let whole = try profile.readingArrivalLogs { file in
            #expect(file == "t.txt")
            return try ArrivalLog(file: file, text: "# launch\n0s\n1.5s\n1.5s\n\n2s\n")
        }
        let arrivals = try #require(whole.populations[0].load.arrivals)
        let process = ArrivalProcess(arrivals, stream: RandomStream(seed: 1))
        #expect(self.arrivals(of: process) == [0, 1_500_000_000, 1_500_000_000, 2_000_000_000])
    }

    @Test(
        "A trace is scaled by its time, never by copies in one instant",
        arguments: [
            (2, [0, 500, 750, 1_000]), (0.5, [0, 2_000, 3_000, 4_000]),
            (1, [0, 1_000, 1_500, 2_000]), (1.6, [0, 625, 938, 1_250]),
        ] as [(Double, [Int64])])
    func scaledTrace(factor: Double, milliseconds: [Int64]) throws {
        let profile = try Profile.read(
            ArrivalTests.profile(
                #"{"trace": {"file": "t.txt"}}, {"constant": {"rate": 1, "for": "2s"}}"#,
                spacing: "even"))
        let whole = try profile.readingArrivalLogs { file in
            try ArrivalLog(file: file, text: "0s\n1s\n1.5s\n2s\n")
        }
        let scaled = whole.multiplyingArrivals(by: factor)
        let arrivals = try #require(scaled.populations[0].load.arrivals)
        let instants = self.arrivals(of: ArrivalProcess(arrivals, stream: RandomStream(seed: 1)))
        #expect(instants.prefix(4).map { ($0 + 500_000) / 1_000_000 } == milliseconds)
        // What follows keeps its length, with a rate that is multiplied.
        #expect(instants.count == 4 + Int(2 * factor))
        let rest = whole.durationNanoseconds - 2 * Self.second
        #expect(scaled.durationNanoseconds == Int64(2e9 / factor) + rest)
        #expect(whole.multiplyingArrivals(by: 1) == whole)
    }

    @Test(
        "A line of a trace that is no time, or goes back, is named",
        arguments: [("1s\nx\n", 2), ("2s\n#\n1s\n", 3)])
    func badTrace(text: String, line: Int) throws {
        let error = #expect(throws: ArrivalLogError.self) {
            try ArrivalLog(file: "t.txt", text: text)
        }
        #expect(error?.line == line)
    }

    private func process(
        _ stages: String, spacing: String, seed: UInt64 = 1
    ) throws -> ArrivalProcess {
        let profile = try Profile.read(ArrivalTests.profile(stages, spacing: spacing))
        let arrivals = try #require(profile.populations[0].load.arrivals)
        return ArrivalProcess(arrivals, stream: RandomStream(seed: seed))
    }

    private func arrivals(of process: ArrivalProcess) -> [Int64] {
        var cursor = ArrivalCursor(process)
        var instants: [Int64] = []
        while let instant = cursor.instant {
            instants.append(instant)
            cursor.advance()
        }
        return instants
    }

    private static func profile(_ stages: String, spacing: String) -> String {
        Profile.minimal(
            population: #""load": {"open": {"spacing": "\#(spacing)", "stages": [\#(stages)]}}"#)
    }
}
