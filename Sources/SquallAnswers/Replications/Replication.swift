import SquallFormat
import SquallLab
import SquallReport

/// The results of one run that answers over several runs need.
public struct Replication: Codable, Sendable {
    /// The seed it ran with.
    let seed: UInt64
    /// Whether it ran to its end; one that ended early only tells which side of a limit it is on.
    let isWhole: Bool
    /// The digest of everything that happened.
    let digest: String
    /// Attempts that were simulated.
    public let requests: Int64
    /// Every number of the run that can be compared, by name.
    let figures: [Figure]
    /// The evidence for each threshold, in the profile's order.
    let evidence: [ThresholdEvidence]
    /// How busy each resource was, in the order of ``Resource``.
    let resources: [Resource]
    /// The share of the time of attempts that was waiting for one of their user's connections.
    let connectionWait: Double
    /// How the beginning of each series that thresholds are about differs from the rest.
    let drifts: [Drift]
    /// When the first fault begins, or else when the measured time ends.
    let steadyUntilNanoseconds: Int64
    /// When the last series settled; nil where one did not settle or is unknown.
    @OrNull private(set) var settledAfterNanoseconds: Int64?
    /// What the run found to be wrong and the self-checks it failed, by label.
    let findings: [String]
    /// Those of the findings that fail any run.
    let failures: [String]

    /// Takes the results of a run.
    init(_ result: RunResult) {
        self.init(
            result, connectionWait: result.connectionWaitShare, drifts: Drift.all(of: result))
    }

    init(_ result: RunResult, connectionWait: Double, drifts: [Drift]) {
        let summary = result.summary
        self.connectionWait = connectionWait
        self.drifts = drifts
        steadyUntilNanoseconds = Drift.steadyUntil(summary)
        let ends = summary.settling.compactMap(\.settledAfterNanoseconds)
        settledAfterNanoseconds = ends.count == summary.settling.count ? ends.max() : nil
        seed = summary.seed
        isWhole = summary.verdict != .partial
        digest = summary.digest.text
        requests = result.requests
        figures = Figure.all(of: summary)
        evidence = result.output.evidence
        resources = Resource.all(of: summary)
        let broken = summary.selfChecks.filter { !$0.ok }.map { "broken law: \($0.name)" }
        findings = summary.findings.map(\.label) + broken
        failures = summary.findings.filter(\.failsRun).map(\.label) + broken
    }

    /// The value of a figure by its name; nil when the run has none.
    func value(of name: String) -> Double? {
        figures.first { $0.name == name }?.value
    }
}
