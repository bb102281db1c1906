public import SquallFormat
public import SquallReport

/// The load that a backend carries: the content of `capacity.json`.
public struct CapacityAnswer: Codable, PlanAnswer, Sendable {
    /// The name of the file with its table.
    public static let csvFile = "points.csv"

    /// The profile's name, and the question it asks.
    public let profile, experiment: String
    /// The varied setting: `users`, `rate` or a key path; and the noun that sentences use for it.
    let varied, noun: String
    /// The unit of the varied setting; `nil` in answers of versions that did not write it.
    let unit: NumberUnit?
    /// The direction in which the thresholds become harder to keep.
    let direction: CapacityDirection
    /// The ending of the search.
    let outcome: Outcome
    /// The largest value at which the thresholds hold, or the least where more is better; nil where
    /// no value holds.
    @OrNull public internal(set) var capacity: ConfidenceInterval?
    /// The largest value that its own replications show to hold, below a capacity that is where the
    /// curve crosses a limit; nil where none was shown, and for other outcomes.
    var shown: Double?
    /// The next whole number, which does not keep them; nil where the answer is no such number.
    @OrNull var neighbour: Neighbour?
    /// The threshold that fails beyond the capacity; nil where all hold.
    @OrNull var binding: String?
    /// The busiest resource at the capacity; nil where none was measured.
    @OrNull var resource: Resource?
    /// The value at which that was measured, which has the most replications near the capacity.
    @OrNull var resourceAt: Double?
    /// The value in the profile itself.
    let today: Double
    /// The least value that the whole interval must reach; nil for no such limit.
    @OrNull var atLeast: Double?
    /// The largest value that the whole interval may reach; nil for no such limit.
    @OrNull var atMost: Double?
    /// The part of each replication that counts.
    let measurementWindow: String
    /// The measured beginning where it differs from the rest, so that the answer is about it; nil
    /// where it does not.
    @OrNull var transient: Transient?
    /// The warm-up that the search chose by itself; nil where the profile sets it.
    @OrNull var ownWarmUpNanoseconds: Int64?
    /// Every value that was run, in rising order.
    public let points: [CapacityPoint]
    /// The load that would fill the busiest resource if nothing became slower; nil if unknown.
    @OrNull var asymptoticKnee: Double?
    /// The law of throughput over load; `nil` where it does not fit.
    @OrNull var scalability: UniversalScalability?
    /// Values beyond the answer that hold, or before it that fail.
    let contradictions: [Double]
    /// Remarks that go with the answer.
    let notes: [String]
    /// The reason why no larger load was tried; nil where the search ended by itself, and in
    /// answers of versions that did not write it.
    var notTried: String?
    /// The part of the interval due to a fit's uncertainty; nil where it was not asked for.
    @OrNull var fitted: FittedSpread?
    /// The half-width that was asked for, as a share.
    public let precision: Double
    /// Replications that were run, and the attempts in them.
    public let replications, requests: Int64
    /// The seeds of the replications, in order.
    let seeds: [UInt64]
    /// The command that computes it again.
    let replay: String
    /// The settings that were neither measured nor given; nil where there are none.
    public var assumed: [AssumedRow]?

    /// How a search ended.
    enum Outcome: String, CaseIterable, Codable, Sendable {
        /// The answer has a confidence interval.
        case found
        /// The threshold only holds or fails; the interval is between two values that were tried.
        case bracketed
        /// Not even the least value tried holds.
        case never
        /// Even the largest value tried holds.
        case always
    }

    /// A whole number beside the answer.
    struct Neighbour: Codable, Sendable {
        /// The number.
        let value: Double
        /// True if it is statistically sure that the answer holds and that this number does not.
        let isSure: Bool
    }

    /// The uncertainty of a fit in an interval.
    struct FittedSpread: Codable, Sendable {
        /// The interval from the runs alone; nil where it has no end.
        @OrNull var runs: ConfidenceInterval?
        /// The end that each draw of the fitted settings gives by itself, in one replication.
        let ends: [Double]
        /// The distance of draws from the fit as it stands, in 95 of 100 cases, as a share; `nil`
        /// where some draws have no end near it.
        @OrNull var spread: Double?
    }

    /// The capacity as a multiple of today's value; nil without either.
    var headroom: Double? {
        guard let capacity, today > 0, capacity.value > 0 else { return nil }
        return capacity.value / today
    }
}

/// The results at one value.
public struct CapacityPoint: Codable, Sendable {
    let value: Double
    /// The number of replications that were run there, and the number that ended early.
    public let replications, stopped: Int
    /// True if every threshold holds over all of them together.
    let holds: Bool
    /// The result of each threshold, in the profile's order.
    let thresholds: [Level]
    /// Successful steps per second; nil where a run ended early.
    @OrNull var goodput: Double?
    /// The mean of the runs' 95th percentiles of a step, in nanoseconds; nil likewise.
    @OrNull var p95: Double?
    /// The share of steps that failed; nil likewise.
    @OrNull var failed: Double?
    /// The use of the busiest resource, from 0 to 1; `nil` where a run ended early.
    @OrNull var busy: Double?

    /// The observed value of a threshold and its judgement.
    struct Level: Codable, Sendable {
        /// The threshold with its limit.
        let threshold: String
        /// The mean over the runs of what each observed; nil without a sample.
        @OrNull var observed: Double?
        /// The unit of `observed`, as in `summary.json`; nil without a sample.
        @OrNull var unit: NumberUnit?
        /// The value that decides, over all runs together, as a share of what is allowed.
        ///
        /// For `p(95)<2s` it is the share of values of 2 s and more, over 5 %; nil if no sample.
        @OrNull var limitUsed: Double?
        /// True if the threshold holds over all runs together.
        let holds: Bool
    }
}

extension CapacityPoint {
    init(_ probe: Probe) {
        let replications = probe.all
        let whole = replications.filter(\.isWhole)
        value = probe.value
        self.replications = replications.count
        stopped = replications.count - whole.count
        let evidence = replications.evidence
        holds = evidence.allSatisfy(\.holds)
        thresholds = evidence.map { pooled in
            let observed = pooled.each.compactMap(\.observed)
            return Level(
                threshold: pooled.first.threshold, observed: observed.isEmpty ? nil : observed.mean,
                unit: pooled.unit, limitUsed: pooled.limitUsed, holds: pooled.holds)
        }
        func mean(_ value: (Replication) -> Double?) -> Double? {
            let known = whole.compactMap(value)
            return known.isEmpty ? nil : known.mean
        }
        goodput = mean { replication in
            guard let steps = replication.value(of: "steps rate") else { return nil }
            return steps * (1 - (replication.value(of: "step_failed rate") ?? 0))
        }
        p95 = mean { $0.value(of: "step_duration p(95)") }
        failed = mean { $0.value(of: "step_failed rate") }
        busy = mean { $0.resources.map(\.busy).max() }
    }

    /// The result of a threshold, by its index in the profile.
    func level(_ threshold: Int) -> Level? {
        thresholds.indices.contains(threshold) ? thresholds[threshold] : nil
    }
}
