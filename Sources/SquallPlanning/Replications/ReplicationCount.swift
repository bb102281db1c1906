import SquallReport

/// How many replications there are to be.
public enum ReplicationCount: Hashable, Sendable {
    /// So many.
    case exactly(Int)
    /// As many as make the figures precise enough.
    case automatic(most: Int)

    /// The half-width at which figures are precise enough, as a share of the mean (simulation
    /// practice; Law, *Simulation Modeling and Analysis*, §9.4).
    public static let precision = 0.05
    /// The fewest that an interval is made of.
    public static let fewest = 10

    /// Runs that many replications of a question.
    ///
    /// - Returns: them, in the order of their numbers.
    public func replications(
        of question: Question, _ replicator: Replicator
    ) throws -> [Replication] {
        switch self {
        case .exactly(let count): return try run(count, question, replicator, "")
        case .automatic(let most):
            var count = min(Self.fewest, most)
            var belief = ""
            while true {
                let found = try run(count, question, replicator, belief)
                let width = Self.width(of: found)
                guard width > Self.precision, count < most else { return found }
                belief = "± \((width * 1_000).rounded() / 10) % so far"
                count = min(most, count * 3 / 2)
            }
        }
    }

    private func run(
        _ count: Int, _ question: Question, _ replicator: Replicator, _ belief: String
    ) throws -> [Replication] {
        let tasks = try (0..<count).map { number in
            try replicator.task(question.profile(ofReplication: number), number: number)
        }
        return try replicator.replications(of: tasks, believing: belief)
    }

    /// The widest relative half-width among what thresholds are held against and the p95 of a step.
    private static func width(of replications: [Replication]) -> Double {
        let count = replications.first?.evidence.count ?? 0
        let levels = (0..<count).map { index in
            replications.compactMap { $0.evidence[index].observed }
        }
        let steps = replications.compactMap { $0.value(of: "step_duration p(95)") }
        return (levels + [steps]).compactMap { relativeWidth($0) }.max() ?? 0
    }

    private static func relativeWidth(_ values: [Double]) -> Double? {
        guard values.contains(where: { $0 != values[0] }) else { return nil }
        return ConfidenceInterval(meanOf: values)?.relativeHalfWidth
    }
}
