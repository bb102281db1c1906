public import SquallFormat

/// The results of one population; rows compare several designs in one run.
@dynamicMemberLookup
public struct PopulationRow: Codable, Sendable {
    /// The population's name in the profile.
    public let name: String
    /// The app its users have.
    public let app: String
    /// The app's token design.
    public let design: String
    /// The number of its users.
    public let users: Int64
    /// Sums over its attempts, refreshes and steps.
    public let counts: Counts
    /// Refreshes per expiry; 1 is ideal, nil without expiries.
    @OrNull public private(set) var refreshesPerExpiry: Double?
    /// The share of refreshes that were needed; nil without refreshes.
    @OrNull private(set) var singleFlightEfficiency: Double?
    /// Refreshes per second in the busiest interval.
    public let peakRefreshesPerSecond: Double
    /// Peaks of this population's own refreshes, in order of time.
    let peaks: [RefreshPeak]
    /// The recovery of successful steps from each fault, in order of time.
    public let faults: [FaultRow]
    /// The longest recovery from a fault.
    public let recovery: Recovery

    /// Makes a row.
    public init(
        name: String, app: String, design: String, users: Int64, counts: Counts,
        peakRefreshesPerSecond: Double, peaks: [RefreshPeak], faults: [FaultRow]
    ) {
        self.name = name
        self.app = app
        self.design = design
        self.users = users
        self.counts = counts
        let refreshes = RefreshView.Counts(
            expiries: counts.expiries, promptedRefreshes: counts.promptedRefreshes,
            redundantRefreshes: counts.redundantRefreshes,
            unpromptedRefreshes: counts.unpromptedRefreshes)
        refreshesPerExpiry = refreshes.perExpiry
        singleFlightEfficiency = refreshes.efficiency
        self.peakRefreshesPerSecond = peakRefreshesPerSecond
        self.peaks = peaks
        self.faults = faults
        recovery = .longest(of: faults.map(\.recovery))
    }

    /// One of its sums.
    public subscript<Value>(dynamicMember sum: KeyPath<Counts, Value>) -> Value {
        counts[keyPath: sum]
    }

    /// Sums over one population.
    public struct Counts: Codable, Sendable {
        /// Attempts sent.
        public var attempts: Int64 = 0
        /// Attempts of calls that failed in the end, and redundant refreshes.
        public var wastedAttempts: Int64 = 0
        /// Calls that were refused as expired and refreshed three times or more in one step.
        public var loopingCalls: Int64 = 0
        /// The most refreshes of one of these calls; 0 without any.
        public var longestLoop: Int64 = 0
        /// Responses that refused the access token as expired.
        public var expiredResponses: Int64 = 0
        /// Access tokens that were refused as expired.
        public var expiries: Int64 = 0
        /// Refreshes that those expiries caused; a refresh counts once, even if it was sent several
        /// times.
        public var promptedRefreshes: Int64 = 0
        /// Refreshes that their expiry did not need, or that showed a refresh token that was
        /// refused or exchanged before.
        public var redundantRefreshes: Int64 = 0
        /// Refreshes that the app sent without an expiry.
        public var unpromptedRefreshes: Int64 = 0
        /// Steps that ended, except hung and idle ones.
        public var steps: Int64 = 0
        /// Steps that ended without the goal of the user.
        public var failedSteps: Int64 = 0
        /// Steps that had nothing to do; no other number of steps counts them.
        var idleSteps: Int64 = 0
        /// Steps that never ended.
        public var hangs: Int64 = 0
        /// Users who were signed out.
        public var sessionsLost: Int64 = 0

        /// Empty counts.
        public init() {}

        /// The counts of a population, by its metrics.
        public init(of metrics: Metrics, in population: String, longestLoop: Int64) {
            func count(_ metric: Metric) -> Int64 {
                metrics.totalCount(of: MetricKey(metric, [.population: population]))
            }
            let refreshes = RefreshView.Counts(of: metrics, [.population: population])
            let ended = LoadRow.Steps(of: metrics, in: population)
            attempts = count(.requests)
            wastedAttempts = count(.attemptsWasted)
            loopingCalls = count(.refreshLoops)
            self.longestLoop = longestLoop
            expiredResponses = count(.expiredResponses)
            expiries = refreshes.expiries
            promptedRefreshes = refreshes.promptedRefreshes
            redundantRefreshes = refreshes.redundantRefreshes
            unpromptedRefreshes = refreshes.unpromptedRefreshes
            (steps, failedSteps) = (ended.done + ended.failed, ended.failed)
            (idleSteps, hangs) = (ended.idle, ended.hung)
            sessionsLost = count(.sessionsLost)
        }
    }
}

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

    /// Makes a row.
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

/// A comparison of two populations with the same users: one, and another that shares its users.
public struct PairRow: Codable, Sendable {
    /// The population that shares the users.
    public let population: String
    /// The population that it shares them with.
    public let comparedWith: String
    /// The number of users in both.
    public let users: Int64
    /// The compared quantities, in the order of the tables.
    public let differences: [Difference]

    /// A pair of populations.
    public init(population: String, comparedWith: String, users: Int64, differences: [Difference]) {
        self.population = population
        self.comparedWith = comparedWith
        self.users = users
        self.differences = differences
    }

    /// The mean difference of a quantity per user between the two populations.
    public struct Difference: Codable, Sendable {
        /// The quantity.
        public let quantity: Quantity
        /// The mean difference over all users; durations in nanoseconds.
        public let mean: Double
        /// Half the width of its 95 % confidence interval; nil with fewer than two users.
        @OrNull public private(set) var halfWidth: Double?

        /// The mean of paired differences with Student's interval.
        ///
        /// Quantiles of t by the expansion of Cornish and Fisher, exact to 0.1 % from 5 users on.
        public init(_ quantity: Quantity, of differences: [Double]) {
            self.quantity = quantity
            let count = Double(differences.count)
            let mean = count > 0 ? differences.reduce(0, +) / count : 0
            self.mean = mean
            guard count > 1 else { return }
            let squares = differences.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
            let (freedom, z) = (count - 1, 1.959_963_984_540_054)
            let (cube, fifth) = (z * z * z, z * z * z * z * z)
            let second = (5 * fifth + 16 * cube + 3 * z) / (96 * freedom * freedom)
            let quantile = z + (cube + z) / (4 * freedom) + second
            halfWidth = quantile * (squares / freedom / count).squareRoot()
        }
    }

    /// A quantity that is compared.
    public enum Quantity: String, CaseIterable, Codable, Sendable {
        /// Attempts.
        case attempts
        /// Refreshes among them.
        case refreshes
        /// Steps that failed.
        case failed
        /// Steps that hung.
        case hung
        /// Time that the user waited for steps, in nanoseconds.
        case waited
    }
}

/// The count of a journey, and the share that the profile asks for.
public struct JourneyRow: Codable, Sendable {
    /// The population's name in the profile.
    public let population: String
    /// The app's name.
    public let app: String
    /// The app's token design.
    public let design: String
    /// The journey's name in the app.
    public let journey: String
    /// The number of times that users began it.
    public let begun: Int64
    /// The share of all journeys by the profile's weights, populations counted by their visits.
    public let targetShare: Double

    /// A journey of a population.
    public init(
        population: String, app: String, design: String, journey: String, begun: Int64,
        targetShare: Double
    ) {
        self.population = population
        self.app = app
        self.design = design
        self.journey = journey
        self.begun = begun
        self.targetShare = targetShare
    }
}
