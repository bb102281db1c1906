import SquallBackend
@testable import SquallAnswers
@testable import SquallLab
import SquallReport

@testable import SquallProof

/// A world that is a law: which share of its steps takes too long at a value of what is varied.
///
/// Without noise all replications agree, so that a search's cost follows from the law alone.
final class LawWorld: Sendable {
    /// What a run finds at a value, by the number of the replication.
    struct Finding {
        /// How many steps there are.
        var steps: Int64 = 1_000
        /// The share of them that takes two seconds; the others take half of one.
        var slow = 0.0
        /// The number of hangs.
        var hangs: Int64 = 0
        /// How busy the workers are; nil where nothing of the sort is told.
        var busy: Double?
    }

    private let law: @Sendable (_ value: Double, _ number: Int) -> Finding
    /// How many requests a run sends for each unit of what is varied; one in all with nil.
    private let requestsForEach: Double?

    init(
        requestsForEach: Double? = nil,
        _ law: @escaping @Sendable (_ value: Double, _ number: Int) -> Finding
    ) {
        self.law = law
        self.requestsForEach = requestsForEach
    }

    /// A replicator of it, for a variation of that name.
    func replicator(varying name: String) -> Replicator {
        Replicator(build: "law", threads: 1, store: nil) { [self] profile, _, _ in
            let value =
                switch name {
                case "users": Double(profile.users)
                case "rate": profile.plannedSessionsPerSecond ?? 0
                default: Double(profile.backend.server.workers)
                }
            let number =
                (0..<64).first { ReplicationTask.seed(of: $0, from: 1) == profile.seed } ?? -1
            let requests = requestsForEach.map { Int64($0 * value) } ?? 1
            return result(of: profile, law(value, number), requests)
        }
    }

    private func result(
        of profile: Profile, _ finding: Finding, _ requests: Int64
    ) -> RunResult {
        var metrics = Metrics()
        let slow = Int64((min(1, finding.slow) * Double(finding.steps)).rounded())
        var durations = Histogram()
        durations.record(2_000_000_000, times: slow)
        durations.record(500_000_000, times: finding.steps - slow)
        metrics.record(durations, in: metrics.trend(MetricKey(.stepDuration)))
        metrics.add(finding.hangs, to: metrics.counter(MetricKey(.hangs)))
        metrics.add(finding.steps, to: metrics.counter(MetricKey(.steps)))
        let server = finding.busy.map { busy in
            ServerView(
                workers: 1, utilisation: busy, meanBusy: busy, meanQueue: 0, longestQueue: 0,
                received: 1, replied: 1, abandoned: 0, wait: LatencySummary(Histogram()),
                queues: [], pools: [], database: nil)
        }
        let nanoseconds = profile.durationNanoseconds
        var summary = RunSummary(of: metrics, untilNanoseconds: nanoseconds)
        (summary.profile, summary.seed, summary.users) = ("law", profile.seed, profile.users)
        summary.digest = RunDigest(profile.seed)
        summary.thresholds = profile.thresholds.map {
            $0.judge(metrics, overNanoseconds: nanoseconds)
        }
        summary.server = server
        let evidence = profile.thresholds.map {
            $0.evidence(of: metrics.value(of: $0.selection), overNanoseconds: nanoseconds)
        }
        let course = Course()
        return RunResult(
            output: RunOutput(
                summary: summary.judged(), metrics: metrics,
                timeseries: course.series(until: nanoseconds), latencies: course.latencies.log,
                evidence: evidence),
            requests: requests)
    }
}
