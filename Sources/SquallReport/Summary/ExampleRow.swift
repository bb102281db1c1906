public import SquallFormat

/// What one user went through in one step that went wrong, exchange by exchange.
public struct ExampleRow: Codable, Hashable, Sendable {
    /// The population's name in the profile.
    public let population: String
    /// What it is an example of: a finding's label, or the outcome of a step.
    public let kind: String
    /// Whose step it was.
    public let user: Int64
    /// The journey's name in the app.
    public let journey: String
    /// The step's name in the journey.
    public let step: String
    /// How the step ended.
    public let outcome: String
    /// When the step began.
    public let startNanoseconds: Int64
    /// When it ended, or was given up.
    public let endNanoseconds: Int64
    /// What was sent from the first answer on that was no success, in the order of its ends.
    public let attempts: [Attempt]

    private enum CodingKeys: String, CodingKey {
        case population, kind, user, journey, step, outcome, attempts
        case startNanoseconds = "startNs"
        case endNanoseconds = "endNs"
    }

    /// How many attempts of one step are kept.
    public static let attemptsAtMost = 40

    /// One exchange.
    public struct Attempt: Codable, Hashable, Sendable {
        /// The user's request it was an attempt of.
        public let request: Int64
        /// Which attempt of the request, from 0.
        public let ordinal: Int64
        /// The request whose failure made it necessary, -1 for none; nil unless it is a refresh.
        @OrNull public private(set) var refreshFor: Int64?
        /// The endpoint.
        public let endpoint: String
        /// A status, or what went wrong.
        public let outcome: String
        /// Whether the client got what it asked for.
        public let isSuccess: Bool
        /// Whether it was answered that the access token had expired.
        public let isExpired: Bool
        /// How many refreshes lay between the token it carried and its sign-in; nil without one.
        @OrNull public private(set) var token: Int64?
        /// When the client handed it over.
        public let startNanoseconds: Int64
        /// When it got a connection.
        public let sentNanoseconds: Int64
        /// When the client was told the outcome.
        public let endNanoseconds: Int64

        private enum CodingKeys: String, CodingKey {
            case request, ordinal, refreshFor, endpoint, outcome, isSuccess, isExpired, token
            case startNanoseconds = "startNs"
            case sentNanoseconds = "sentNs"
            case endNanoseconds = "endNs"
        }

        /// An exchange from its parts.
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

    /// An example from its parts.
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
