public import SquallFormat

/// What a population's load offered, and what became of it: every visit and every step once.
///
/// A visit is what a user comes for once: sessions that arrive, paced beginnings, or the next
/// journey of somebody who comes back. What waited or was under way when the warm-up ended is
/// counted too, so that the sums are exact in what is measured as well:
/// `offered + waitingBefore = begun + refused + waiting` and
/// `begun + underWayBefore = ended + givenUp + underWay`.
public struct LoadRow: Codable, Hashable, Sendable {
    /// The population's name in the profile.
    public let population: String
    /// The app its users have.
    public let app: String
    /// What became of visits.
    public let visits: Visits
    /// What became of steps.
    public let steps: Steps
    /// How late visits began whose beginning was planned; those that wait still count with the time
    /// they have waited by the end of the load.
    public let delay: LatencySummary
    /// The share of the planned visits that began more than a second late, or wait for that long;
    /// nil when none was planned.
    @OrNull public private(set) var delayedShare: Double?

    private enum CodingKeys: String, CodingKey {
        case population, app, visits, steps, delayedShare
        case delay = "delayNs"
    }

    /// A row from its parts.
    public init(
        population: String, app: String, visits: Visits, steps: Steps, delay: LatencySummary,
        delayedShare: Double?
    ) {
        self.population = population
        self.app = app
        self.visits = visits
        self.steps = steps
        self.delay = delay
        self.delayedShare = delayedShare
    }

    /// What became of visits.
    public struct Visits: Codable, Hashable, Sendable {
        /// Visits that the load asked for.
        public var offered: Int64 = 0
        /// Those that waited when measuring began.
        public var waitingBefore: Int64 = 0
        /// Those that began.
        public var begun: Int64 = 0
        /// Those that found nobody free and were not to wait.
        public var refused: Int64 = 0
        /// Those that had not begun when the load ended.
        public var waiting: Int64 = 0
        /// Those that were under way when measuring began.
        public var underWayBefore: Int64 = 0
        /// Those that came to their end.
        public var ended: Int64 = 0
        /// Those in which a user gave up a step.
        public var givenUp: Int64 = 0

        /// Nothing counted.
        public init() {}

        /// Those that had not ended when the run did.
        public var underWay: Int64 { underWayBefore + begun - ended - givenUp }

        /// What was counted since an earlier state of the same sums.
        public func since(_ earlier: Visits) -> Visits {
            var visits = Visits()
            visits.offered = offered - earlier.offered
            visits.waitingBefore = earlier.offered - earlier.begun - earlier.refused
            visits.begun = begun - earlier.begun
            visits.refused = refused - earlier.refused
            visits.waiting = waiting
            visits.underWayBefore = earlier.underWay
            visits.ended = ended - earlier.ended
            visits.givenUp = givenUp - earlier.givenUp
            return visits
        }
    }

    /// What became of steps.
    public struct Steps: Codable, Hashable, Sendable {
        /// Steps that began.
        public var begun: Int64 = 0
        /// Those that were under way when measuring began.
        public var underWayBefore: Int64 = 0
        /// Those that ended with what the user came for.
        public var done: Int64 = 0
        /// Those that ended without it.
        public var failed: Int64 = 0
        /// Those that ended because there was nothing to do.
        public var idle: Int64 = 0
        /// Those that their users did not wait for any longer.
        public var givenUp: Int64 = 0

        /// Nothing counted.
        public init() {}

        /// Those that came to an end of their own.
        public var ended: Int64 { done + failed + idle }

        /// Those that had not ended when the run did.
        public var underWay: Int64 { underWayBefore + begun - ended - givenUp }

        /// What was counted since an earlier state of the same sums.
        public func since(_ earlier: Steps) -> Steps {
            var steps = Steps()
            steps.begun = begun - earlier.begun
            steps.underWayBefore = earlier.underWay
            steps.done = done - earlier.done
            steps.failed = failed - earlier.failed
            steps.idle = idle - earlier.idle
            steps.givenUp = givenUp - earlier.givenUp
            return steps
        }
    }
}
