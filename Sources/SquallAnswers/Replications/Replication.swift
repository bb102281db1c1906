import SquallFormat
import SquallLab
import SquallReport

/// The results of one run that answers from several runs need.
public struct Replication: Codable, Sendable {
    /// The seed it ran with.
    let seed: UInt64
    /// False if it ended early, and so only tells which side of a limit it is on.
    let isWhole: Bool
    /// The digest of everything that happened.
    let digest: String
    /// Attempts that were simulated.
    public let requests: Int64
    /// Every number of the run that can be compared, by name.
    let figures: [Figure]
    /// The evidence for each threshold, in the profile's order.
    let evidence: [ThresholdEvidence]
    /// The use of each resource, in the order of ``Resource``.
    let resources: [Resource]
    /// The share of attempts' time that they waited for one of their user's connections.
    let connectionWait: Double
    /// The difference of the beginning of each watched series from its rest.
    let drifts: [Drift]
    /// The beginning of the first fault, or else the end of the measured time.
    let steadyUntilNanoseconds: Int64
    /// The moment at which the last series settled; `nil` where one did not settle or is unknown.
    @OrNull private(set) var settledAfterNanoseconds: Int64?
    /// The labels of the run's findings and failed self-checks.
    let findings: [String]
    /// The findings that fail any run.
    let failures: [String]

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
