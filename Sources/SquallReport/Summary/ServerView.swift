public import SquallFormat

/// How busy the server was and what it turned away, in what is measured of the run.
///
/// Requests count until the run has ended; levels and shares of time cover the load only, because
/// a server that nobody asks anything of any more is idle for another reason.
public struct ServerView: Codable, Hashable, Sendable {
    /// Requests it can work on at once.
    public let workers: Int64
    /// The share of the workers' time that was worked; nil before any time has passed.
    @OrNull public private(set) var utilisation: Double?
    /// Workers at work on average; nil before any time has passed.
    @OrNull public private(set) var meanBusy: Double?
    /// Requests that waited for a worker on average; nil before any time has passed.
    @OrNull public private(set) var meanQueue: Double?
    /// The most requests that ever waited for a worker.
    public let longestQueue: Int64
    /// Requests that reached it.
    public let received: Int64
    /// Requests it replied to.
    public let replied: Int64
    /// Requests it let go because nobody waited for them any more.
    public let abandoned: Int64
    /// How long requests waited for a worker.
    public let wait: LatencySummary
    /// What each endpoint's requests met before the workers, in the order of their names.
    public let lines: [Line]
    /// Each pool of workers, if there are several; first those who do what no other pool does.
    public let pools: [Pool]
    /// The database behind the workers; nil without one.
    @OrNull public private(set) var database: Database?

    private enum CodingKeys: String, CodingKey {
        case workers, utilisation, meanBusy, meanQueue, longestQueue, received, replied, lines
        case abandoned, pools, database
        case wait = "waitNs"
    }

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
        /// Requests that were let go, because nobody waited for them any more.
        public let abandoned: Int64

        private enum CodingKeys: String, CodingKey {
            case endpoint, served, longestQueue, turnedAway, abandoned
            case meanWaitNanoseconds = "meanWaitNs"
            case longestWaitNanoseconds = "longestWaitNs"
        }

        /// A line from its parts.
        public init(
            endpoint: String, served: Int64, meanWaitNanoseconds: Int64?,
            longestWaitNanoseconds: Int64, longestQueue: Int64, turnedAway: Int64,
            abandoned: Int64
        ) {
            self.endpoint = endpoint
            self.served = served
            self.meanWaitNanoseconds = meanWaitNanoseconds
            self.longestWaitNanoseconds = longestWaitNanoseconds
            self.longestQueue = longestQueue
            self.turnedAway = turnedAway
            self.abandoned = abandoned
        }
    }

    /// Some of the workers, with a line of their own.
    public struct Pool: Codable, Hashable, Sendable {
        /// Its name; empty for those who do what no other pool does.
        public let name: String
        /// The share of its workers' time that was worked; nil before any time has passed.
        @OrNull public private(set) var utilisation: Double?
        /// Workers there were on average; nil before any time has passed.
        @OrNull public private(set) var meanWorkers: Double?
        /// Requests that waited for one on average; nil before any time has passed.
        @OrNull public private(set) var meanQueue: Double?
        /// The most requests that ever waited for one.
        public let longestQueue: Int64

        /// A pool from its parts.
        public init(
            name: String, utilisation: Double?, meanWorkers: Double?, meanQueue: Double?,
            longestQueue: Int64
        ) {
            self.name = name
            self.longestQueue = longestQueue
            self.utilisation = utilisation
            self.meanWorkers = meanWorkers
            self.meanQueue = meanQueue
        }
    }

    /// What workers asked.
    public struct Database: Codable, Hashable, Sendable {
        /// Queries it can work on at once.
        public let connections: Int64
        /// Connections in use on average; nil before any time has passed.
        @OrNull public private(set) var meanBusy: Double?
        /// Workers that waited for a connection on average; nil before any time has passed.
        @OrNull public private(set) var meanQueue: Double?
        /// The most workers that ever waited for one.
        public let longestQueue: Int64
        /// Queries that got a connection.
        public let queries: Int64
        /// Rows that were read for them.
        public let rows: Int64
        /// How long workers waited for a connection.
        public let wait: LatencySummary

        private enum CodingKeys: String, CodingKey {
            case connections, meanBusy, meanQueue, longestQueue, queries, rows
            case wait = "waitNs"
        }

        /// A database from its parts.
        public init(
            connections: Int64, meanBusy: Double?, meanQueue: Double?, longestQueue: Int64,
            queries: Int64, rows: Int64, wait: LatencySummary
        ) {
            self.connections = connections
            self.longestQueue = longestQueue
            self.queries = queries
            self.rows = rows
            self.wait = wait
            self.meanBusy = meanBusy
            self.meanQueue = meanQueue
        }
    }

    /// A view from its parts.
    public init(
        workers: Int64, utilisation: Double?, meanBusy: Double?, meanQueue: Double?,
        longestQueue: Int64, received: Int64, replied: Int64, abandoned: Int64,
        wait: LatencySummary, lines: [Line], pools: [Pool], database: Database?
    ) {
        self.workers = workers
        self.utilisation = utilisation
        self.meanBusy = meanBusy
        self.meanQueue = meanQueue
        self.wait = wait
        self.longestQueue = longestQueue
        self.received = received
        self.replied = replied
        self.abandoned = abandoned
        self.lines = lines
        self.pools = pools
        self.database = database
    }
}
