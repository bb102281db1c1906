/// What some users did, exchange by exchange: the content of `trace.json`.
public struct CallTrace: Hashable, Sendable {
    /// A user's step.
    public struct Step: Hashable, Sendable {
        /// Whose step it was.
        public let user: Int64
        /// Its journey and its name, as people read them.
        public let name: String
        /// How it ended.
        public let outcome: String
        /// When it was meant to begin, as every other number counts it, and when it ended.
        public let span: Range<Int64>
        /// How long after the beginning of its span it began.
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
        /// Whose attempt it was.
        public let user: Int64
        /// The user's request it was an attempt of.
        public let request: Int64
        /// Which attempt of the request, from 0.
        public let ordinal: Int64
        /// The request whose failure made it necessary; nil unless it refreshes a token.
        public let refreshFor: Int64?
        /// Whether it refreshes a token, asked for or not.
        public let isRefresh: Bool
        /// The endpoint.
        public let endpoint: String
        /// A status, or what went wrong.
        public let outcome: String
        /// Whether it was answered that its access token had expired.
        public let isExpired: Bool
        /// When the client handed it over, and when it was told the outcome or the run was over.
        public let span: Range<Int64>
        /// How long it waited for a connection.
        public let waitNanoseconds: Int64

        /// An attempt that ended, or that was under way when the run was over.
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

    /// How many steps and attempts are kept; what comes later is only counted.
    public static let limit = 200_000

    /// The steps, in the order they ended.
    public private(set) var steps: [Step] = []
    /// The attempts, in the order they ended.
    public private(set) var attempts: [Attempt] = []
    /// How many more there were.
    public private(set) var dropped: Int64 = 0

    /// A trace of nothing.
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
