import SquallFormat

/// What one population went through, so that several designs can be compared in one run.
public struct PopulationRow: Hashable, Sendable {
    /// The population's name in the profile.
    public let name: String
    /// The app its users have.
    public let app: String
    /// The app's token design.
    public let design: String
    /// How many users it has.
    public let users: Int64
    /// What was counted.
    public let counts: Counts
    /// Refreshes each second in the busiest interval.
    public let peakRefreshesPerSecond: Double
    /// Whether its successful steps came back after each fault, in order of time.
    public let triggers: [TriggerRow]

    /// A row from its parts.
    public init(
        name: String, app: String, design: String, users: Int64, counts: Counts,
        peakRefreshesPerSecond: Double, triggers: [TriggerRow]
    ) {
        self.name = name
        self.app = app
        self.design = design
        self.users = users
        self.counts = counts
        self.peakRefreshesPerSecond = peakRefreshesPerSecond
        self.triggers = triggers
    }

    /// Refreshes for each expiry; 1 is ideal, nil without expiries.
    public var refreshesPerExpiry: Double? {
        Ratio(part: counts.refreshes, whole: counts.expiries).quotient
    }

    /// The longest recovery from a fault; nil when one was not recovered from, or there was none.
    public var recoveredAfterNanoseconds: Int64? {
        let recoveries = triggers.map(\.recoveredAfterNanoseconds)
        return recoveries.contains(nil) ? nil : recoveries.compactMap { $0 }.max()
    }

    /// Sums over one population.
    public struct Counts: Hashable, Sendable {
        /// Calls on the wire that ended.
        public var calls: Int64 = 0
        /// Calls whose request failed in the end, and refreshes beyond an expiry's first.
        public var wastedCalls: Int64 = 0
        /// Answers that the access token had expired.
        public var expiredAnswers: Int64 = 0
        /// Times a user's access token was found expired.
        public var expiries: Int64 = 0
        /// Refreshes that those expiries caused.
        public var refreshes: Int64 = 0
        /// Refreshes that the app sent unasked.
        public var unpromptedRefreshes: Int64 = 0
        /// Steps that ended, hung ones left out.
        public var steps: Int64 = 0
        /// Steps that ended without what the user came for.
        public var failedSteps: Int64 = 0
        /// Steps that never ended.
        public var hangs: Int64 = 0
        /// Users who were signed out.
        public var signOuts: Int64 = 0

        /// Nothing counted.
        public init() {}
    }
}

extension PopulationRow {
    var json: JSON {
        .object([
            "name": .string(name), "app": .string(app), "design": .string(design),
            "users": .integer(users), "calls": .integer(counts.calls),
            "wastedCalls": .integer(counts.wastedCalls),
            "expiredAnswers": .integer(counts.expiredAnswers),
            "expiries": .integer(counts.expiries), "refreshes": .integer(counts.refreshes),
            "unpromptedRefreshes": .integer(counts.unpromptedRefreshes),
            "refreshesPerExpiry": .optional(refreshesPerExpiry, JSON.number),
            "peakRefreshesPerSecond": .number(peakRefreshesPerSecond),
            "steps": .integer(counts.steps), "failedSteps": .integer(counts.failedSteps),
            "hangs": .integer(counts.hangs), "signOuts": .integer(counts.signOuts),
            "triggers": .array(triggers.map(\.json)),
        ])
    }
}
