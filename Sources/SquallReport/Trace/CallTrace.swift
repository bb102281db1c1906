/// What some users did, exchange by exchange: the content of `trace.json`.
public struct CallTrace: Hashable, Sendable {
    /// A user's step.
    public struct Step: Hashable, Sendable {
        /// The user's number.
        public let user: Int64
        /// Its journey and name, for people.
        public let name: String
        /// How it ended.
        public let outcome: String
        /// From its planned beginning, as all other numbers count it, to its end.
        public let span: Range<Int64>
        /// How long after its planned beginning it began.
        public let delayNanoseconds: Int64

        /// A step that ended.
        public init(
            user: Int64, name: String, outcome: String, span: Range<Int64>,
            delayNanoseconds: Int64 = 0
        ) {
            self.delayNanoseconds = delayNanoseconds
            self.user = user
            self.name = name
            self.outcome = outcome
            self.span = span
        }
    }

    /// One exchange on the wire.
    public struct Attempt: Hashable, Sendable {
        /// The user's number.
        public let user: Int64
        /// The user's request that it belongs to.
        public let request: Int64
        /// Its number within the request, from 0.
        public let ordinal: Int64
        /// The refused request that caused it; nil unless it refreshes a token.
        public let refreshFor: Int64?
        /// Whether it refreshes a token, after an expiry or not.
        public let isRefresh: Bool
        /// The endpoint.
        public let endpoint: String
        /// A status, or the error.
        public let outcome: String
        /// Whether the answer was that its access token had expired.
        public let isExpired: Bool
        /// From when the client sent it off to when it learned the outcome or the run ended.
        public let span: Range<Int64>
        /// How long it waited for a connection.
        public let waitNanoseconds: Int64

        /// Makes an attempt that ended, or was under way when the run ended.
        public init(
            user: Int64, request: Int64, ordinal: Int64, refreshFor: Int64?, isRefresh: Bool,
            endpoint: String, outcome: String, isExpired: Bool, span: Range<Int64>,
            waitNanoseconds: Int64
        ) {
            self.isRefresh = isRefresh
            self.isExpired = isExpired
            self.user = user
            self.request = request
            self.ordinal = ordinal
            self.refreshFor = refreshFor
            self.endpoint = endpoint
            self.outcome = outcome
            self.span = span
            self.waitNanoseconds = waitNanoseconds
        }
    }

    /// The most steps and attempts together that are kept; later ones are only counted.
    public static let limit = 200_000

    /// The steps, in the order they ended.
    public private(set) var steps: [Step] = []
    /// The attempts, in the order they ended.
    public private(set) var attempts: [Attempt] = []
    /// How many later ones were dropped.
    public private(set) var dropped: Int64 = 0

    /// An empty trace.
    public init() {}

    /// Adds a step while there is room.
    public mutating func append(_ step: Step) {
        if hasRoom { steps.append(step) } else { dropped += 1 }
    }

    /// Adds an attempt while there is room.
    public mutating func append(_ attempt: Attempt) {
        if hasRoom { attempts.append(attempt) } else { dropped += 1 }
    }

    private var hasRoom: Bool { steps.count + attempts.count < CallTrace.limit }
}
