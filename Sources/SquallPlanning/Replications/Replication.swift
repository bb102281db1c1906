import SquallFormat
public import SquallLab
public import SquallReport

/// What one run of a plan found, as far as answers over several runs need it.
public struct Replication: Codable, Hashable, Sendable {
    /// The seed it ran with.
    public let seed: UInt64
    /// Whether it ran to its end; one that ended early only says on which side of a limit it is.
    public let isWhole: Bool
    /// The digest of everything that happened.
    public let digest: String
    /// Attempts that were simulated.
    public let requests: Int64
    /// How many users took part.
    public let users: Int64
    /// How much virtual time was measured.
    public let measuredNanoseconds: Int64
    /// Every number of the run that can be compared, by name.
    public let figures: [Figure]
    /// What each threshold was judged by, in the profile's order.
    public let evidence: [ThresholdEvidence]
    /// How busy each resource was, in the order of ``Resource``.
    public let resources: [Resource]
    /// What the run found to be broken, and laws that it broke, by label.
    public let findings: [String]

    /// What a run found.
    public init(_ result: RunResult) {
        let summary = result.summary
        seed = summary.seed
        isWhole = summary.verdict != .partial
        digest = summary.digest.text
        requests = result.requests
        users = summary.users
        measuredNanoseconds = summary.virtualNanoseconds - summary.measuredFromNanoseconds
        figures = Figure.all(of: summary)
        evidence = result.output.evidence
        resources = Resource.all(of: summary)
        findings =
            summary.findings.map(\.label)
            + summary.selfChecks.filter { !$0.ok }.map { "broken law: \($0.name)" }
    }

    /// The number of a name; nil when the run has none.
    public func value(of name: String) -> Double? {
        figures.first { $0.name == name }?.value
    }
}
