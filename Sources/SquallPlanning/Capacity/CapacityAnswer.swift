public import SquallFormat
public import SquallReport

/// How much a backend carries: the content of `capacity.json`.
public struct CapacityAnswer: Codable, Hashable, Sendable {
    /// The profile's name, and the question it asks.
    public let profile, question: String
    /// What was varied: `users`, `rate` or a key path; and as sentences count it.
    public let varied, noun: String
    /// Which way it becomes harder to keep the thresholds.
    public let direction: CapacityDirection
    /// How the search ended.
    public let outcome: Outcome
    /// The largest value at which the thresholds hold, or the least where more is better; nil where
    /// none does.
    @OrNull public internal(set) var capacity: ConfidenceInterval?
    /// The next whole number, which does not keep them; nil where the answer is no such number.
    @OrNull public internal(set) var neighbour: Neighbour?
    /// The threshold that does not hold beyond it; nil where all do.
    @OrNull public internal(set) var binding: String?
    /// The other end of the values that keep them; nil where there is only one.
    @OrNull public internal(set) var otherEnd: ConfidenceInterval?
    /// The threshold that does not hold beyond that.
    @OrNull public internal(set) var otherBinding: String?
    /// What is most in use there; nil where nothing was measured.
    @OrNull public internal(set) var resource: Resource?
    /// What the profile itself asks for.
    public let today: Double
    /// What the whole interval has to reach; nil where nothing has to.
    @OrNull public internal(set) var atLeast: Double?
    /// What the whole interval must not exceed; nil where nothing must not.
    @OrNull public internal(set) var atMost: Double?
    /// What part of each replication counts.
    public let regime: String
    /// What begins otherwise than it goes on in what was measured; nil where nothing does.
    @OrNull public internal(set) var transient: Transient?
    /// What the search left out of each replication by itself; nil where the profile says.
    @OrNull public internal(set) var ownWarmUpNanoseconds: Int64?
    /// Everything that was run, by rising value.
    public let points: [CapacityPoint]
    /// Where the busiest resource would be full if nothing became slower; nil where not known.
    @OrNull public internal(set) var asymptoticKnee: Double?
    /// How throughput follows the load; nil where the law does not fit.
    @OrNull public internal(set) var scalability: UniversalScalability?
    /// Values beyond the answer at which the thresholds hold, or before it at which they do not.
    public let contradictions: [Double]
    /// What has to be known with the answer.
    public let notes: [String]
    /// What the interval counts of a fit's uncertainty; nil where it was not asked for.
    @OrNull public internal(set) var fitted: FittedSpread?
    /// The half-width that was asked for, as a share.
    public let precision: Double
    /// Replications that were run to find the answer, and the attempts in them.
    public let replications, requests: Int64
    /// The seeds of the replications, in order.
    public let seeds: [UInt64]
    /// The command that works it out again.
    public let replay: String

    /// How a search ended.
    public enum Outcome: String, CaseIterable, Codable, Sendable {
        /// The answer has an interval that chance explains.
        case found
        /// A threshold that either holds or not; the interval is what was tried.
        case bracketed
        /// Not even the least value holds.
        case never
        /// Even the largest value that was tried holds.
        case always
    }

    /// A whole number beside the answer.
    public struct Neighbour: Codable, Hashable, Sendable {
        /// The number.
        public let value: Double
        /// Whether chance explains neither that the answer holds nor that this does not.
        public let isSure: Bool
    }

    /// A measured beginning that is not as what follows, so that the answer is one about it.
    public struct Transient: Codable, Hashable, Sendable {
        /// What differs, with its level at the beginning and later on.
        public let series: [Drift]
        /// The option that leaves the beginning out, or makes the run long enough for that.
        public let option: String
    }

    /// What a fit is not sure of, in an interval.
    public struct FittedSpread: Codable, Hashable, Sendable {
        /// The interval of the runs alone; nil without an end.
        @OrNull public internal(set) var runs: ConfidenceInterval?
        /// The end that each draw of the fitted settings has by itself, in its one replication.
        public let ends: [Double]
        /// How far draws are from the fit as it stands, in 95 of 100 cases, as a share; nil where
        /// some draws have no end near it.
        @OrNull public internal(set) var spread: Double?

        init(runs: ConfidenceInterval?, ends: [Double], spread: Double? = nil) {
            self.ends = ends
            self.runs = runs
            self.spread = spread
        }
    }

    /// How many times today's value it is; nil without either.
    public var headroom: Double? {
        guard let capacity, today > 0, capacity.value > 0 else { return nil }
        return capacity.value / today
    }
}

/// What was found at one value.
public struct CapacityPoint: Codable, Hashable, Sendable {
    /// The value.
    public let value: Double
    /// How many replications were run there, and how many of them ended early.
    public let replications, stopped: Int
    /// Whether every threshold holds over all of them together.
    public let holds: Bool
    /// What each threshold comes to, in the profile's order.
    public let thresholds: [Level]
    /// Steps each second that gave people what they wanted; nil where a run ended early.
    @OrNull public internal(set) var goodput: Double?
    /// The mean of the runs' 95th percentiles of a step, in nanoseconds; nil likewise.
    @OrNull public internal(set) var p95: Double?
    /// The share of steps that failed; nil likewise.
    @OrNull public internal(set) var failed: Double?
    /// How busy the busiest resource was; nil likewise.
    @OrNull public internal(set) var busy: Double?

    /// What a threshold comes to.
    public struct Level: Codable, Hashable, Sendable {
        /// What is expected, with its limit.
        public let threshold: String
        /// The mean of what single runs observed; nil without a sample.
        @OrNull public internal(set) var observed: Double?
        /// What that is counted in, as in `summary.json`; nil without a sample.
        @OrNull public internal(set) var unit: String?
        /// What decides, over all runs together, as a share of what is allowed.
        ///
        /// Of `p(95)<2s` the share of values of 2 s and more, over 5 %. Nil without a sample.
        @OrNull public internal(set) var ofLimit: Double?
        /// Whether the threshold holds over all runs together.
        public let holds: Bool
    }
}

extension CapacityPoint {
    init(_ probe: Probe) {
        let replications = probe.all
        let whole = replications.filter(\.isWhole)
        value = probe.value
        self.replications = replications.count
        stopped = replications.count - whole.count
        let evidence = Probe.evidence(replications)
        holds = evidence.allSatisfy(\.holds)
        thresholds = evidence.enumerated().map { index, pooled in
            let observed = replications.compactMap { $0.evidence[index].observed }
            return Level(
                threshold: pooled.threshold, observed: observed.isEmpty ? nil : observed.mean,
                unit: replications.lazy.compactMap { $0.evidence[index].unitName }.first,
                ofLimit: pooled.quotient.flatMap { pooled.limit > 0 ? $0 / pooled.limit : nil },
                holds: pooled.holds)
        }
        let good = whole.compactMap { replication -> Double? in
            guard let steps = replication.value(of: "steps rate") else { return nil }
            return steps * (1 - (replication.value(of: "step_failed rate") ?? 0))
        }
        goodput = good.isEmpty ? nil : good.mean
        let waits = whole.compactMap { $0.value(of: "step_duration p(95)") }
        p95 = waits.isEmpty ? nil : waits.mean
        let failures = whole.compactMap { $0.value(of: "step_failed rate") }
        failed = failures.isEmpty ? nil : failures.mean
        let busiest = whole.compactMap { $0.resources.map(\.busy).max() }
        busy = busiest.isEmpty ? nil : busiest.mean
    }
}

extension [Double] {
    /// The mean.
    ///
    /// - Precondition: there is at least one.
    var mean: Double { reduce(0, +) / Double(count) }
}
