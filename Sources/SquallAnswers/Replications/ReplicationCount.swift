import SquallReport

/// The number of replications to run.
public enum ReplicationCount: Sendable {
    /// A fixed number.
    case exactly(Int)
    /// As many as the figures need to be precise enough.
    case automatic(most: Int)

    /// The half-width at which a figure is precise enough, as a share of its mean (common practice;
    /// Law, *Simulation Modeling and Analysis*, §9.4).
    public static let precision = 0.05
    /// The fewest replications for an interval.
    static let fewest = 10

    /// Runs replications of an experiment.
    ///
    /// - Returns: the replications, in the order of their numbers.
    public func replications(
        of experiment: Experiment, _ replicator: Replicator
    ) throws -> [Replication] {
        switch self {
        case .exactly(let count):
            return try replicator.replications(count, of: experiment.profile)
        case .automatic(let most):
            var count = min(Self.fewest, most)
            var estimate = ""
            while true {
                let found = try replicator.replications(
                    count, of: experiment.profile, believing: estimate)
                let width = Self.width(of: found)
                guard width > Self.precision, count < most else { return found }
                estimate = "± \((width * 1_000).rounded() / 10) % so far"
                count = min(most, count * 3 / 2)
            }
        }
    }

    /// The largest relative half-width among the thresholds' figures and the p95 of a step.
    private static func width(of replications: [Replication]) -> Double {
        let levels = replications.evidence.map { $0.each.compactMap(\.observed) }
        let steps = replications.compactMap { $0.value(of: "step_duration p(95)") }
        return (levels + [steps]).compactMap { relativeWidth($0) }.max() ?? 0
    }

    private static func relativeWidth(_ values: [Double]) -> Double? {
        guard values.contains(where: { $0 != values[0] }) else { return nil }
        return ConfidenceInterval(meanOf: values)?.relativeHalfWidth
    }
}
