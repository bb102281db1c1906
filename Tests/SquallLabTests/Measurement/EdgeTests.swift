import SquallFormat
import Testing

@testable import SquallLab
@testable import SquallReport

@Suite("What a run counts at its edges")
struct EdgeTests {
    private static let second: Int64 = 1_000_000_000

    @Test("As many users are active as are on a journey, and none at the end")
    func active() throws {
        // Seven begin at once, and are away far longer than they take.
        let run = OneCallRun(users: 7, population: #""away": "30s", "arriveOver": "0s""#)
        let output = try run.output()
        guard case .gauge(let active)? = output.metrics.value(of: MetricKey(.usersActive)) else {
            Issue.record("users_active is a level")
            return
        }
        #expect(active.highest == 7 && active.lowest == 0 && active.level == 0)
        let place = output.timeseries.position(of: .usersArrived)
        #expect(output.timeseries.rows[0].values[place] == 7)
    }

    @Test("Paced users keep the phases of their arrivals, and none is late")
    func pacing() throws {
        // 100 users, a visit of 20 ms of one worker every 10 s: he is busy for a fifth.
        let summary = try OneCallRun(
            users: 100, load: #"{"closed": {"pacing": "10s"}}"#,
            population: #""arriveOver": "10s""#,
            service: #""20ms""#, duration: "10m"
        ).summary()
        let row = try #require(summary.load.first)
        #expect(row.visits.offered == 6_000 && row.visits.begun == 6_000)
        #expect(row.delayNanoseconds.count == 6_000 && row.delayNanoseconds.maximum == 0)
        // A sum of periodic arrivals waits less than Poisson ones: ρS / 2(1 − ρ) = 2.5 ms.
        let steps = try #require(summary.latency(.stepDuration))
        #expect(steps.mean >= 40_000_000 && steps.mean < 42_500_000)
    }

    @Test("A paced user who is late misses beginnings, and every one of them is counted")
    func missedBeginnings() throws {
        // A visit of 120 ms every 50 ms from 0 on: begins at 0, 120, 240 … 960 ms.
        let summary = try OneCallRun(
            users: 1, load: #"{"closed": {"pacing": "50ms"}}"#, population: #""arriveOver": "0s""#,
            duration: "1s"
        ).summary()
        let row = try #require(summary.load.first)
        #expect([row.visits.offered, row.visits.begun, row.visits.waiting] == [21, 9, 12])
        let begun = (0..<9).map { Int64($0) * 70_000_000 }
        let waiting = (9...20).map { Self.second - Int64($0) * 50_000_000 }
        #expect(row.delayNanoseconds == LatencySummary(Histogram(of: begun + waiting)))
        #expect(summary.latency(.journeyDelay) == row.delayNanoseconds)
    }

    /// Visits of 120 ms each for one user, ten a second for ten seconds.
    private static let arrivals = (1...100).map { Int64($0) * 100_000_000 }

    @Test("Sessions that wait for a free user at the end count with the time they have waited")
    func waitingAtTheEnd() throws {
        let summary = try OneCallRun(
            users: 1, load: OneCallRun.even([(10, 10)]), duration: "10s"
        ).summary()
        let row = try #require(summary.load.first)
        let starts = lindley(Self.arrivals, service: 120_000_000)
        let delays = zip(starts, Self.arrivals).map { min($0, 10 * Self.second) - $1 }
        let begun = Int64(starts.count { $0 <= 10 * Self.second })
        #expect([row.visits.offered, row.visits.begun] == [100, begun])
        #expect(row.visits.waiting == 100 - begun && begun < 100)
        #expect(row.delayNanoseconds == LatencySummary(Histogram(of: delays)))
        #expect(summary.latency(.journeyDelay) == row.delayNanoseconds)
        #expect(summary.findings.map(\.label) == ["load.notAchieved"])
        #expect(summary.verdict == .noVerdict)
    }

    @Test("Sessions that are not to wait are refused when nobody is free, and counted")
    func refusal() throws {
        let summary = try OneCallRun(
            users: 1, load: OneCallRun.even([(10, 10)], #""whenNobodyIsFree": "refuse","#),
            duration: "10s"
        ).summary()
        // Every second one finds the user on the visit before.
        let visits = try #require(summary.load.first).visits
        #expect([visits.offered, visits.begun, visits.refused] == [100, 50, 50])
        #expect(visits.waiting == 0 && visits.ended + visits.underWay == 50)
        #expect(summary.findings.map(\.label) == ["load.notAchieved"])
    }

    @Test("A load that people can make is no finding")
    func achieved() throws {
        let summary = try OneCallRun(
            users: 2, load: OneCallRun.even([(10, 10)]), service: #""50ms""#, duration: "10s"
        ).summary()
        #expect(summary.load.first?.visits.waiting == 0)
        #expect(summary.findings.isEmpty && summary.verdict == .noVerdict)
    }

    @Test("Where every call fails every step fails: those with nothing to do count apart")
    func idleSteps() throws {
        let profile = try Profile.read(
            """
            { "schemaVersion": 1, "duration": "5m",
              "populations": [{ "app": "shareD", "users": 50, "journeys": { "comment": 1 } }],
              "backend": { "faults": [{ "kind": "serverError", "at": "0s", "status": 500 }] },
              "thresholds": { "step_failed": ["rate<50%"] } }
            """)
        let summary = try LoadRun(
            profile: profile, named: "test", options: .init(replayCommand: "")
        ).run { _ in .continue }.summary
        let idle = try #require(summary.total(of: .stepsIdle)?.count)
        let ended = try #require(summary.total(of: .steps)?.count)
        #expect(idle > 0 && ended > 0 && summary.thresholds[0].observed?.magnitude == 1)
        let durations = try #require(summary.latency(.stepDuration))
        #expect(durations.count == ended && durations.minimum > 0)
        let steps = try #require(summary.load.first).steps
        #expect([steps.done, steps.failed, steps.idle] == [0, ended, idle])
        #expect(summary.populations[0].steps == ended && summary.populations[0].idleSteps == idle)
        #expect(summary.steps.reduce(0) { $0 + $1.idle } == idle)
    }

    /// One in four is never answered while its user waits for ten seconds.
    private static let stuck = OneCallRun(
        users: 1_000, population: #""away": "1h", "arriveOver": "30s""#, patience: "10s",
        service: #"{"empirical": [["80ms", 3], ["1h", 1]]}"#, workers: 5_000)

    @Test("A step that a user gives up counts in the durations with the time waited")
    func givenUp() throws {
        let output = try Self.stuck.output()
        let summary = output.summary
        let hangs = try #require(summary.total(of: .hangs)?.count)
        let ended = try #require(summary.total(of: .steps)?.count)
        #expect(hangs > 180 && hangs < 320 && hangs + ended == 1_000)
        let durations = try #require(summary.latency(.stepDuration))
        #expect(durations.count == 1_000 && durations.p50 <= 100_100_000)
        #expect(durations.p90 >= 9_990_000_000 && durations.maximum == 10 * Self.second)
        let logged = output.latencies.total(of: "step_duration")
        #expect(logged.count == 1_000 && logged.maximum >= 10 * Self.second)
        let row = try #require(summary.steps.first { $0.journey == "communityToEnd" })
        #expect(row.failed == 0 && row.hung == hangs)
        let visits = try #require(summary.load.first).visits
        #expect([visits.ended, visits.abandoned] == [ended, hangs])
    }

    @Test("A step that still runs when the run is over counts with its time so far")
    func unfinished() throws {
        var run = Self.stuck
        run.patience = "1h"
        run.settings = ""
        let text = run.text.replacing(#""drain": "2h""#, with: #""drain": "1m""#)
        let summary = try LoadRun(
            profile: try Profile.read(text), named: "test", options: .init(replayCommand: "")
        ).run { _ in .continue }.summary
        let durations = try #require(summary.latency(.stepDuration))
        #expect(durations.count == 1_000 && durations.p90 > 89 * Self.second)
        #expect(try #require(summary.load.first).steps.underWay > 180)
    }
}
