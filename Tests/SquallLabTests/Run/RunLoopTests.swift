import SquallFormat
import SquallKernel
import SquallReport
import Synchronization
import Testing

@testable import SquallLab

@Suite("The run loop")
struct RunLoopTests {
    @Test("A threshold that ends the run does so when it is crossed, and the verdict says so")
    func abort() throws {
        let summary = try run(
            #""thresholds": {"steps": ["count<50 abort"], "hangs": ["count==0"]}"#)
        #expect(summary.verdict == .aborted)
        #expect(summary.virtualNanoseconds < 120_000_000_000)
        #expect(summary.thresholds.map(\.abortedRun) == [true, false])
        #expect(summary.thresholds.map(\.ok) == [false, true])
    }

    @Test("A window counts what happened in it: parts of a run add up to the whole")
    func windows() throws {
        let summary = try run(
            #"""
            "thresholds": {"steps": ["count>0", "count>0 until 60s", "count>0 after 60s",
                "count>0 after 30s until 60s", "count>0 until 30s"]}
            """#)
        let counts = try summary.thresholds.map { try #require($0.observed).magnitude }
        #expect(counts[1] + counts[2] == counts[0])
        #expect(counts[3] + counts[4] == counts[1])
        #expect(counts.allSatisfy { $0 > 0 })
    }

    @Test("A warm-up leaves out what happened in it, and every law still holds")
    func warmUp() throws {
        let whole = try run(#""thresholds": {"steps": ["count>0 after 40s"]}"#)
        let warm = try run(#""warmUp": {"for": "40s"}, "thresholds": {"steps": ["count>0"]}"#)
        #expect(warm.thresholds[0].observed == whole.thresholds[0].observed)
        #expect(warm.digest == whole.digest && warm.measuredFromNanoseconds == 40_000_000_000)
        #expect(warm.selfChecks.allSatisfy { $0.ok })
        let warmCalls = try #require(warm.retries).tree.attempts
        let allCalls = try #require(whole.retries).tree.attempts
        #expect(warmCalls > 0 && warmCalls < allCalls)
    }

    @Test(
        "A fault before the end of a warm-up, or at it, is told of and nothing is compared with it",
        arguments: [
            (#""warmUp": {"for": "40s"}"#, "0s"), (#""warmUp": {"for": "40s"}"#, "39s"),
            (#""warmUp": {"for": "40s"}"#, "40s"), (#""warmUp": {"rule": "mser5"}"#, "0s"),
        ])
    func earlyFault(warmUp: String, moment: String) throws {
        let fault = #"{"kind": "serverError", "at": "\#(moment)", "for": "1s", "status": 500}"#
        let summary = try run(warmUp, faults: fault)
        let row = try #require(summary.faults.first)
        #expect(row.goodputBefore == nil && row.recovery == .unknown)
    }

    @Test("MSER-5 runs twice and measures from where the pilot settled")
    func mser5() throws {
        let summary = try run(#""warmUp": {"rule": "mser5"}"#)
        let check = try #require(summary.selfChecks.last)
        #expect(check.name.hasPrefix("MSER-5") && check.ok)
        #expect(summary.measuredFromNanoseconds % 5_000_000_000 == 0)
        #expect(summary.measuredFromNanoseconds < 60_000_000_000)
    }

    @Test("The drain waits for steps under way, but no longer than it may")
    func drain() throws {
        let patient = try run(#""drain": "1h""#)
        #expect(patient.virtualNanoseconds > 120_000_000_000)
        let impatient = try run(#""drain": "0s""#)
        #expect(impatient.virtualNanoseconds == 120_000_000_000)
    }

    @Test(
        "A run that is stopped in the middle of a crowded instant is counted whole",
        arguments: 1...6)
    func stopped(looks: Int) throws {
        let text = """
            { "schemaVersion": 1, "duration": "2m",
              "populations": [{ "app": "scrolly", "users": 1500, "journeys": {"browse": 1},
                "thinkTime": "2s", "away": "2s", "arriveOver": "0s" }],
              "backend": { "network": { "up": "300ms", "down": "300ms" },
                "server": { "workers": 2000, "serviceTime": "1ms" } } }
            """
        let profile = try Profile.read(Array(text.utf8), file: "test", vocabulary: .installed)
        var left = looks
        let result = try LoadRun(
            profile: profile, named: "test", options: LoadRun.Options(replayCommand: "")
        ).run { _ in
            left -= 1
            return left > 0 ? .continue : .stop
        }
        #expect(result.summary.verdict == .partial)
        #expect(result.summary.selfChecks.allSatisfy { $0.ok })
    }

    @Test(
        "Waits for a connection are a share of the attempts' time where users have too few"
    )
    func connections() throws {
        let one = try result(#""warmUp": {"for": "0s"}"#, connections: 1)
        let six = try result(#""warmUp": {"for": "0s"}"#, connections: 6)
        #expect(one.connectionWaitShare > 0.2 && one.connectionWaitShare < 1)
        #expect(six.connectionWaitShare < one.connectionWaitShare / 2)
    }

    private func run(_ settings: String, faults: String = "") throws -> RunSummary {
        try result(settings, faults: faults).summary
    }

    private func result(
        _ settings: String, faults: String = "", connections: Int = 6
    ) throws -> RunResult {
        let options = LoadRun.Options(replayCommand: "")
        let profile = try profile(settings, faults, connections)
        return try LoadRun(profile: profile, named: "test", options: options)
            .run { _ in .continue }
    }

    private func profile(
        _ settings: String, _ faults: String, _ connections: Int
    ) throws -> Profile {
        let text = """
            { "schemaVersion": 1, "duration": "2m", \(settings),
              "populations": [{ "app": "scrolly", "users": 20, "journeys": {"browse": 1},
                "thinkTime": "2s", "away": "2s", "arriveOver": "10s" }],
              "backend": { "network": { "up": "300ms", "down": "300ms",
                  "connectionsPerHost": \(connections) },
                "faults": [\(faults)] } }
            """
        return try Profile.read(Array(text.utf8), file: "test", vocabulary: .installed)
    }

    @Test("A run that is stopped while its world is built ends there")
    func stoppedBuilding() throws {
        let text = """
            { "schemaVersion": 1, "duration": "1m",
              "populations": [{ "app": "scrolly", "users": 2, "journeys": {"browse": 1} }],
              "backend": { "content": { "bookPosts": 900000 } } }
            """
        let profile = try Profile.read(Array(text.utf8), file: "test", vocabulary: .installed)
        let looks = Mutex(0)
        var options = LoadRun.Options(replayCommand: "")
        options.isStopped = {
            looks.withLock { looks in
                looks += 1
                return looks > 3
            }
        }
        #expect(throws: StopRequested.self) {
            try LoadRun(profile: profile, named: "test", options: options).run { _ in .continue }
        }
        #expect(looks.withLock { $0 } < 10)
    }
}
