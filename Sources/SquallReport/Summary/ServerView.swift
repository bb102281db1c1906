public import SquallFormat

/// The use of the server, and the requests that it rejected, in the measured time.
///
/// Requests count until the end of the run; levels and shares of time cover the load only, because
/// a server without load is idle for another reason.
public struct ServerView: Codable, Sendable {
    /// The number of requests it can process at once.
    public let workers: Int64
    /// The share of the workers' time in use; nil before any time has passed.
    @OrNull public private(set) var utilisation: Double?
    /// The mean number of busy workers; nil before any time has passed.
    @OrNull public private(set) var meanBusy: Double?
    /// The mean number of requests waiting for a worker; nil before any time has passed.
    @OrNull public private(set) var meanQueue: Double?
    /// The most requests waiting for a worker at once.
    public let longestQueue: Int64
    /// Requests that reached it.
    let received: Int64
    /// Requests it replied to.
    public let replied: Int64
    /// Requests it dropped because their clients no longer waited.
    let abandoned: Int64
    /// The waits of requests for a worker.
    public let waitNanoseconds: LatencySummary
    /// The queue of each endpoint's requests, sorted by name.
    public let queues: [Queue]
    /// The pools of workers, if there are several; first the common one for all other calls.
    public let pools: [Pool]
    /// The database behind the workers; nil without one.
    @OrNull public private(set) var database: Database?

    /// The queue of one endpoint's requests.
    public struct Queue: Codable, Sendable {
        let endpoint: String
        /// Requests that a worker took.
        public let served: Int64
        /// Their mean wait; nil without any.
        @OrNull private(set) var meanWaitNanoseconds: Int64?
        /// Their longest wait.
        let longestWaitNanoseconds: Int64
        /// The most that were waiting at once.
        let longestQueue: Int64
        /// Requests that were rejected because the queue was full or they had waited too long.
        let rejected: Int64
        /// Requests that were dropped because their clients no longer waited.
        let abandoned: Int64

        /// A row of an endpoint's figures.
        public init(
            endpoint: String, served: Int64, meanWaitNanoseconds: Int64?,
            longestWaitNanoseconds: Int64, longestQueue: Int64, rejected: Int64,
            abandoned: Int64
        ) {
            self.endpoint = endpoint
            self.served = served
            self.meanWaitNanoseconds = meanWaitNanoseconds
            self.longestWaitNanoseconds = longestWaitNanoseconds
            self.longestQueue = longestQueue
            self.rejected = rejected
            self.abandoned = abandoned
        }
    }

    /// A pool of workers with its own queue.
    public struct Pool: Codable, Sendable {
        /// Its name; empty for the common pool.
        public let name: String
        /// The share of its workers' time in use; nil before any time has passed.
        @OrNull public private(set) var utilisation: Double?
        /// The mean number of workers; nil before any time has passed.
        @OrNull private(set) var meanWorkers: Double?
        /// The mean number of requests waiting; nil before any time has passed.
        @OrNull private(set) var meanQueue: Double?
        /// The most requests waiting at once.
        let longestQueue: Int64

        /// Makes a pool.
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

    /// The database that workers query.
    public struct Database: Codable, Sendable {
        /// The number of queries it can process at once.
        public let connections: Int64
        /// The mean number of connections in use; nil before any time has passed.
        @OrNull public private(set) var meanBusy: Double?
        /// The mean number of workers waiting for a connection; nil before any time has passed.
        @OrNull private(set) var meanQueue: Double?
        /// The most workers waiting at once.
        let longestQueue: Int64
        /// Queries that got a connection.
        let queries: Int64
        /// Rows that were read for them.
        let rows: Int64
        /// The waits of workers for a connection.
        let waitNanoseconds: LatencySummary

        /// Makes a database.
        public init(
            connections: Int64, meanBusy: Double?, meanQueue: Double?, longestQueue: Int64,
            queries: Int64, rows: Int64, wait: LatencySummary
        ) {
            self.connections = connections
            self.longestQueue = longestQueue
            self.queries = queries
            self.rows = rows
            waitNanoseconds = wait
            self.meanBusy = meanBusy
            self.meanQueue = meanQueue
        }
    }

    /// Makes a view.
    public init(
        workers: Int64, utilisation: Double?, meanBusy: Double?, meanQueue: Double?,
        longestQueue: Int64, received: Int64, replied: Int64, abandoned: Int64,
        wait: LatencySummary, queues: [Queue], pools: [Pool], database: Database?
    ) {
        self.workers = workers
        self.utilisation = utilisation
        self.meanBusy = meanBusy
        self.meanQueue = meanQueue
        waitNanoseconds = wait
        self.longestQueue = longestQueue
        self.received = received
        self.replied = replied
        self.abandoned = abandoned
        self.queues = queues
        self.pools = pools
        self.database = database
    }
}
