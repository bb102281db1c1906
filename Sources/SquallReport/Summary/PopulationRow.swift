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

    /// A row of a population's figures.
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
