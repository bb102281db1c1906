public import SquallFormat

/// What one population went through; rows compare several designs in one run.
public struct PopulationRow: Codable, Hashable, Sendable {
    /// The population's name in the profile.
    public let name: String
    /// The app its users have.
    public let app: String
    /// The app's token design.
    public let design: String
    /// How many users it has.
    public let users: Int64
    /// Attempts sent.
    public let attempts: Int64
    /// Attempts of calls that failed in the end, and redundant refreshes.
    public let wastedAttempts: Int64
    /// Calls that were answered "expired" three times or more: refreshed again and again.
    public let loopingCalls: Int64
    /// The most answers "expired" for one of these calls; 0 without any.
    public let longestLoop: Int64
    /// Answers that the access token had expired.
    public let expiredAnswers: Int64
    /// Times a user's access token was found expired.
    public let expiries: Int64
    /// Refreshes that those expiries caused; a refresh counts once however often it was sent.
    public let promptedRefreshes: Int64
    /// Refreshes beyond the first of each expiry.
    public let redundantRefreshes: Int64
    /// Refreshes per expiry; 1 is ideal, nil without expiries.
    @OrNull public private(set) var refreshesPerExpiry: Double?
    /// The share of refreshes that were needed; nil without refreshes.
    @OrNull public private(set) var singleFlightEfficiency: Double?
    /// Refreshes that the app sent without an expiry.
    public let unpromptedRefreshes: Int64
    /// Refreshes per second in the busiest interval.
    public let peakRefreshesPerSecond: Double
    /// Steps that ended, except hung ones.
    public let steps: Int64
    /// Steps that ended without what the user came for.
    public let failedSteps: Int64
    /// Steps that had nothing to do; no other number of steps counts them.
    public let idleSteps: Int64
    /// Steps that never ended.
    public let hangs: Int64
    /// Users who were signed out.
    public let signOuts: Int64
    /// Peaks of this population's own refreshes, in order of time.
    public let storms: [Storm]
    /// For each fault, whether successful steps recovered, in order of time.
    public let triggers: [TriggerRow]
    /// The longest recovery from a fault.
    private let outcome: Recovery.Outcome
    /// The time of the longest recovery; nil without a recovery or without a fault.
    @OrNull public private(set) var longestRecoveryNanoseconds: Int64?

    private enum CodingKeys: String, CodingKey {
        case name, app, design, users, attempts, wastedAttempts, loopingCalls, longestLoop
        case expiredAnswers, expiries, promptedRefreshes
        case redundantRefreshes, unpromptedRefreshes, refreshesPerExpiry, singleFlightEfficiency
        case peakRefreshesPerSecond, steps, failedSteps, idleSteps, hangs, signOuts, storms
        case triggers
        case outcome = "recovery"
        case longestRecoveryNanoseconds = "longestRecoveryNs"
    }

    /// Makes a row.
    public init(
        name: String, app: String, design: String, users: Int64, counts: Counts,
        peakRefreshesPerSecond: Double, storms: [Storm], triggers: [TriggerRow]
    ) {
        self.name = name
        self.app = app
        self.design = design
        self.users = users
        attempts = counts.attempts
        wastedAttempts = counts.wastedAttempts
        loopingCalls = counts.loopingCalls
        longestLoop = counts.longestLoop
        expiredAnswers = counts.expiredAnswers
        expiries = counts.expiries
        promptedRefreshes = counts.promptedRefreshes
        redundantRefreshes = counts.redundantRefreshes
        unpromptedRefreshes = counts.unpromptedRefreshes
        let each = RefreshesPerExpiry(
            expiries: counts.expiries, refreshes: counts.promptedRefreshes,
            redundant: counts.redundantRefreshes)
        refreshesPerExpiry = each.quotient
        singleFlightEfficiency = each.efficiency
        self.peakRefreshesPerSecond = peakRefreshesPerSecond
        steps = counts.steps
        failedSteps = counts.failedSteps
        idleSteps = counts.idleSteps
        hangs = counts.hangs
        signOuts = counts.signOuts
        self.storms = storms
        self.triggers = triggers
        let recovery = Recovery.longest(of: triggers.map(\.recovery))
        outcome = recovery.outcome
        longestRecoveryNanoseconds = recovery.nanoseconds
    }

    /// The longest recovery from a fault.
    public var recovery: Recovery {
        Recovery(outcome, afterNanoseconds: longestRecoveryNanoseconds)
    }

    /// A peak of one population's refreshes.
    public struct Storm: Codable, Hashable, Sendable {
        /// When its first interval began.
        public let startNanoseconds: Int64
        /// When its last interval ended.
        public let endNanoseconds: Int64
        /// Refreshes in it.
        public let refreshes: Int64
        /// Refreshes per second in its busiest interval.
        public let peakPerSecond: Double
        /// Whether the goodput came back.
        private let outcome: Recovery.Outcome
        /// How long after its start as many steps succeeded as before.
        @OrNull public private(set) var recoveredAfterNanoseconds: Int64?

        private enum CodingKeys: String, CodingKey {
            case refreshes, peakPerSecond
            case startNanoseconds = "startNs"
            case endNanoseconds = "endNs"
            case outcome = "recovery"
            case recoveredAfterNanoseconds = "recoveredAfterNs"
        }

        /// The facts of a peak that apply to one population.
        public init(_ window: StormWindow) {
            startNanoseconds = window.startNanoseconds
            endNanoseconds = window.endNanoseconds
            refreshes = window.refreshes
            peakPerSecond = window.peakPerSecond
            outcome = window.recovery.outcome
            recoveredAfterNanoseconds = window.recoveredAfterNanoseconds
        }

        /// Whether and when the goodput came back.
        public var recovery: Recovery {
            Recovery(outcome, afterNanoseconds: recoveredAfterNanoseconds)
        }
    }

    /// Sums over one population during counting.
    public struct Counts: Hashable, Sendable {
        /// Attempts sent.
        public var attempts: Int64 = 0
        /// Attempts of calls that failed in the end, and redundant refreshes.
        public var wastedAttempts: Int64 = 0
        /// Calls that were answered "expired" three times or more.
        public var loopingCalls: Int64 = 0
        /// The most answers "expired" for one of these calls.
        public var longestLoop: Int64 = 0
        /// Answers that the access token had expired.
        public var expiredAnswers: Int64 = 0
        /// Times a user's access token was found expired.
        public var expiries: Int64 = 0
        /// Refreshes that those expiries caused.
        public var promptedRefreshes: Int64 = 0
        /// Refreshes beyond the first of each expiry.
        public var redundantRefreshes: Int64 = 0
        /// Refreshes that the app sent without an expiry.
        public var unpromptedRefreshes: Int64 = 0
        /// Steps that ended, except hung and idle ones.
        public var steps: Int64 = 0
        /// Steps that ended without what the user came for.
        public var failedSteps: Int64 = 0
        /// Steps that had nothing to do.
        public var idleSteps: Int64 = 0
        /// Steps that never ended.
        public var hangs: Int64 = 0
        /// Users who were signed out.
        public var signOuts: Int64 = 0

        /// Empty counts.
        public init() {}
    }
}
