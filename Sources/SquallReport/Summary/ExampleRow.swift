public import SquallFormat

/// One failed step of a user, exchange by exchange.
public struct ExampleRow: Codable, Sendable {
    /// The population's name in the profile.
    public let population: String
    /// The finding's label or the step's outcome that it is an example of.
    public let kind: String
    /// The user's number.
    let user: Int64
    /// The journey's name in the app.
    let journey: String
    /// The step's name in the journey.
    let step: String
    /// The outcome of the step.
    let outcome: String
    /// The moment at which the step began.
    let startNanoseconds: Int64
    /// The moment at which it ended or was counted as hung.
    let endNanoseconds: Int64
    /// The attempts from the first unsuccessful response on, in the order of their ends.
    public let attempts: [Attempt]

    /// The most attempts kept for one step.
    public static let attemptsAtMost = 40

    /// One exchange.
    public struct Attempt: Codable, Sendable {
        /// The user's request that it belongs to.
        public let request: Int64
        /// Its number within the request, from 0.
        public let ordinal: Int64
        /// The refused request that caused it, -1 for none; nil unless it is a refresh.
        @OrNull public private(set) var refreshFor: Int64?
        /// The endpoint.
        public let endpoint: String
        /// A status, or the error.
        let outcome: String
        /// True for a response with which the client got what it asked for.
        let isSuccess: Bool
        /// True for the response that the access token had expired.
        public let isExpired: Bool
        /// The number of refreshes from its sign-in to the token it carried; nil without a token.
        @OrNull public private(set) var token: Int64?
        /// The moment at which the client sent it off.
        let startNanoseconds: Int64
        /// The moment at which it got a connection.
        let sentNanoseconds: Int64
        /// The moment at which the client learned the outcome.
        let endNanoseconds: Int64

        /// An attempt from its parts; times in virtual nanoseconds.
        public init(
            request: Int64, ordinal: Int64, refreshFor: Int64?, endpoint: String, outcome: String,
            isSuccess: Bool, isExpired: Bool, token: Int64?, startNanoseconds: Int64,
            sentNanoseconds: Int64, endNanoseconds: Int64
        ) {
            self.request = request
            self.ordinal = ordinal
            self.refreshFor = refreshFor
            self.endpoint = endpoint
            self.outcome = outcome
            self.isSuccess = isSuccess
            self.isExpired = isExpired
            self.token = token
            self.startNanoseconds = startNanoseconds
            self.sentNanoseconds = sentNanoseconds
            self.endNanoseconds = endNanoseconds
        }
    }

    /// An example from its parts; times in virtual nanoseconds.
    public init(
        population: String, kind: String, user: Int64, journey: String, step: String,
        outcome: String, startNanoseconds: Int64, endNanoseconds: Int64, attempts: [Attempt]
    ) {
        self.population = population
        self.kind = kind
        self.user = user
        self.journey = journey
        self.step = step
        self.outcome = outcome
        self.startNanoseconds = startNanoseconds
        self.endNanoseconds = endNanoseconds
        self.attempts = attempts
    }
}
