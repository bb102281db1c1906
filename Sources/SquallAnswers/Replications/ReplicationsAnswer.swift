public import Foundation
public import SquallFormat
import SquallLab
public import SquallReport

/// The results of several replications of one profile: the content of `replications.json`.
///
/// It keeps every number of every replication, so it can serve as the baseline of a later
/// comparison.
public struct ReplicationsAnswer: Codable, PlanAnswer, Sendable {
    /// The name of the file with its table.
    public static let csvFile = "figures.csv"

    /// The profile's name, and the question it asks.
    public let profile, experiment: String
    /// The part of each replication that counts.
    let measurementWindow: String
    /// The seed of each replication.
    let seeds: [UInt64]
    /// The digest of each replication.
    let digests: [String]
    /// Every number, in the order of the runs' summaries.
    let figures: [FigureSeries]
    /// The result of each threshold, in the profile's order.
    let thresholds: [Level]
    /// The findings, and the number of runs in which each occurred, by label.
    let findings: [Count]
    /// True if each replication had fitted settings of its own.
    let drawsFitted: Bool
    /// The precision that the number of replications was chosen for; nil where that number was
    /// given.
    @OrNull private(set) var precision: Double?
    /// Attempts that were simulated.
    public let requests: Int64
    /// The command that computes it again.
    let replay: String
    /// The settings that were neither measured nor given; nil where there are none.
    public var assumed: [AssumedRow]?

    /// The result of a threshold over all replications.
    struct Level: Codable, Sendable {
        /// The threshold, as `--threshold` takes it.
        let threshold: String
        /// True if it holds over all together, or in each one where it only holds or fails.
        let holds: Bool
        /// The number of replications in which it held.
        let held: Int
        /// The value observed in each; nil without a sample.
        let observed: [Double?]
        /// The unit of `observed`.
        let unit: NumberUnit
    }

    /// A kind of finding, and the number of runs in which it occurred.
    struct Count: Codable, Sendable {
        /// The label of the finding.
        let label: String
        /// The number of runs that had it.
        let runs: Int
        /// True if it fails any run, whatever was expected.
        let failsRun: Bool
    }

    /// The answer from replications of an experiment.
    public init(
        _ experiment: Experiment, _ replications: [Replication], precision: Double?, replay: String
    ) {
        profile = experiment.name
        self.experiment = experiment.profile.question
        measurementWindow = experiment.profile.measurementWindow
        seeds = replications.map(\.seed)
        digests = replications.map(\.digest)
        figures = FigureSeries.all(of: replications.map(\.figures))
        thresholds = replications.evidence.map { pooled in
            Level(
                threshold: pooled.first.threshold, holds: pooled.holds,
                held: pooled.each.count(where: \.holds), observed: pooled.each.map(\.observed),
                unit: pooled.unit ?? .number)
        }
        let labels = Set(replications.flatMap(\.findings)).ordered(by: <)
        findings = labels.map { label in
            Count(
                label: label, runs: replications.count { $0.findings.contains(label) },
                failsRun: replications.contains { $0.failures.contains(label) })
        }
        drawsFitted = experiment.drawsFitted
        self.precision = precision
        requests = replications.reduce(0) { $0 + $1.requests }
        self.replay = replay
    }

    /// A mean over replications with its interval; with drawn fitted settings the interval is for
    /// one replication, since only one of the draws can match the backend.
    func estimate(_ values: [Double?]) -> ConfidenceInterval? {
        ConfidenceInterval(meanOf: values.compactMap { $0 }, ofOne: drawsFitted)?.ofAmount
    }

    /// Reads a file.
    ///
    /// - Throws: the line and the fault there, or the reason for which it cannot be the result of
    ///   replications.
    public static func read(_ data: Data) throws(FileSyntaxError) -> ReplicationsAnswer {
        let answer = try Checksummed<ReplicationsAnswer>.read(data)
        guard let problem = answer.problem else { return answer }
        throw FileSyntaxError(line: 1, problem: problem)
    }

    private var problem: String? {
        guard Set(seeds).count == seeds.count else { return "/seeds has one of them twice" }
        let lists =
            [("/digests", digests.count)]
            + figures.enumerated().map { ("/figures/\($0)/values", $1.values.count) }
            + thresholds.enumerated().map { ("/thresholds/\($0)/observed", $1.observed.count) }
        return lists.first { $0.1 != seeds.count }.map { place, count in
            "\(place) must have one value for each of \(seeds.count) seeds, got \(count)"
        }
    }

    /// The document that can be read back, sealed.
    public var json: String { JSONDocument.text(Checksummed(self)) }

    /// True if every threshold holds over all replications and no finding fails the run.
    public var hasPassed: Bool {
        thresholds.allSatisfy(\.holds) && !findings.contains(where: \.failsRun)
    }
}
