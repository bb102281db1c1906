public import SquallFormat

/// How busy the server was and what it turned away, over the whole run.
public struct ServerView: Codable, Hashable, Sendable {
    /// Requests it can work on at once.
    public let workers: Int64
    /// The share of the workers' time that was worked; nil before any time has passed.
    @OrNull public private(set) var utilisation: Double?
    /// The most requests that ever waited for a worker.
    public let longestQueue: Int64
    /// Requests that reached it.
    public let received: Int64
    /// Requests it replied to.
    public let replied: Int64
    /// What each endpoint's requests met before the workers, in the order of their names.
    public let lines: [Line]

    /// What the requests of one endpoint met before the workers.
    public struct Line: Codable, Hashable, Sendable {
        /// The endpoint.
        public let endpoint: String
        /// Requests that a worker took.
        public let served: Int64
        /// How long those had waited, on average; nil without any.
        @OrNull public private(set) var meanWaitNanoseconds: Int64?
        /// How long the unluckiest of those had waited.
        public let longestWaitNanoseconds: Int64
        /// The most that waited at once.
        public let longestQueue: Int64
        /// Requests that were turned away for lack of room, or because they had waited too long.
        public let turnedAway: Int64

        private enum CodingKeys: String, CodingKey {
            case endpoint, served, longestQueue, turnedAway
            case meanWaitNanoseconds = "meanWaitNs"
            case longestWaitNanoseconds = "longestWaitNs"
        }

        /// A line from its parts.
        public init(
            endpoint: String, served: Int64, meanWaitNanoseconds: Int64?,
            longestWaitNanoseconds: Int64, longestQueue: Int64, turnedAway: Int64
        ) {
            self.endpoint = endpoint
            self.served = served
            self.meanWaitNanoseconds = meanWaitNanoseconds
            self.longestWaitNanoseconds = longestWaitNanoseconds
            self.longestQueue = longestQueue
            self.turnedAway = turnedAway
        }
    }

    /// A view from its parts.
    public init(
        workers: Int64, utilisation: Double?, longestQueue: Int64, received: Int64,
        replied: Int64, lines: [Line]
    ) {
        self.workers = workers
        self.utilisation = utilisation
        self.longestQueue = longestQueue
        self.received = received
        self.replied = replied
        self.lines = lines
    }
}
