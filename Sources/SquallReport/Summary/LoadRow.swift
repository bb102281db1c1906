import SquallFormat

/// The visits and steps of a population's load by their fate: each counts once.
///
/// A visit is one reason for a user to come: a session that arrives, a paced beginning, or the next
/// journey of a returning user. Visits that were waiting or under way when the warm-up ended are
/// also counted, so that these sums are exact: `offered + waitingBefore = begun + refused +
/// waiting` and `begun + underWayBefore = ended + abandoned + underWay`.
public struct LoadRow: Codable, Sendable {
    /// The population's name in the profile.
    let population: String
    /// The app its users have.
    let app: String
    /// The visits by their fate.
    public let visits: Visits
    /// The steps by their fate.
    public let steps: Steps
    /// The delays of planned visits; those still waiting count with their waits by the end of the
    /// load.
    let delayNanoseconds: LatencySummary
    /// The share of planned visits that began more than a second late or have waited that long; nil
    /// when none was planned.
    @OrNull private(set) var delayedShare: Double?

    /// A row of a population's figures.
    public init(
        population: String, app: String, visits: Visits, steps: Steps, delay: LatencySummary,
        delayedShare: Double?
    ) {
        self.population = population
        self.app = app
        self.visits = visits
        self.steps = steps
        delayNanoseconds = delay
        self.delayedShare = delayedShare
    }

    /// Visits by their fate.
    public struct Visits: Codable, Sendable {
        /// Visits that the load asked for.
        public var offered: Int64 = 0
        /// Visits that were waiting when measuring began.
        public var waitingBefore: Int64 = 0
        /// Visits that began.
        public var begun: Int64 = 0
        /// Visits that found no user free and were not queued.
        public var refused: Int64 = 0
        /// Visits that had not begun when the load ended.
        public var waiting: Int64 = 0
        /// Visits that were under way when measuring began.
        public var underWayBefore: Int64 = 0
        /// Visits that ended.
        public var ended: Int64 = 0
        /// Visits that ended because a step hung.
        public var abandoned: Int64 = 0

        /// Empty counts.
        public init() {}

        /// Visits that had not ended when the run did.
        public var underWay: Int64 { underWayBefore + begun - ended - abandoned }

        /// The increase since an earlier state of the same sums.
        public func since(_ earlier: Visits) -> Visits {
            var visits = Visits()
            visits.offered = offered - earlier.offered
            visits.waitingBefore = earlier.offered - earlier.begun - earlier.refused
            visits.begun = begun - earlier.begun
            visits.refused = refused - earlier.refused
            visits.waiting = waiting
            visits.underWayBefore = earlier.underWay
            visits.ended = ended - earlier.ended
            visits.abandoned = abandoned - earlier.abandoned
            return visits
        }
    }

    /// Steps by their fate.
    public struct Steps: Codable, Sendable {
        /// Steps that began.
        public var begun: Int64 = 0
        /// Steps that were under way when measuring began.
        var underWayBefore: Int64 = 0
        /// Steps that reached the goal of the user.
        public var done: Int64 = 0
        /// Steps that ended without that goal.
        public var failed: Int64 = 0
        /// Steps that ended because there was nothing to do.
        public var idle: Int64 = 0
        /// Steps that hung until their users left.
        public var hung: Int64 = 0

        /// Empty counts.
        public init() {}

        /// Steps that ended by themselves.
        public var ended: Int64 { done + failed + idle }

        /// Steps that had not ended when the run did.
        public var underWay: Int64 { underWayBefore + begun - ended - hung }
    }
}

extension LoadRow.Steps {
    /// The steps of one population or of all by their end, from the metrics.
    public init(
        of metrics: Metrics, in population: String? = nil, begun: Int64 = 0,
        underWayBefore: Int64 = 0
    ) {
        let tags = population.map { [TagKey.population: $0] } ?? [:]
        let failures = metrics.totalRatio(of: MetricKey(.stepFailed, tags))
        (self.begun, self.underWayBefore) = (begun, underWayBefore)
        hung = metrics.totalCount(of: MetricKey(.hangs, tags))
        idle = metrics.totalCount(of: MetricKey(.stepsIdle, tags))
        failed = failures.part - hung
        done = failures.whole - failures.part
    }
}
