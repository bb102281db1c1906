/// How busy the server was and what it turned away, over the whole run.
public struct ServerView: Hashable, Sendable {
    /// Requests it can work on at once.
    public var workers: Int64
    /// The share of the workers' time that was worked; nil before any time has passed.
    public var utilisation: Double?
    /// The most requests that ever waited for a worker.
    public var longestQueue: Int64
    /// Requests that reached it.
    public var received: Int64
    /// Requests it replied to.
    public var replied: Int64
    /// Requests it turned away for lack of room, by endpoint, in the order of their names.
    public var shed: [Shed]

    /// Requests to one endpoint that were turned away.
    public struct Shed: Hashable, Sendable {
        /// The endpoint.
        public let endpoint: String
        /// How many there were.
        public let count: Int64

        /// What was answered 503 in what was measured.
        public static func all(of metrics: Metrics) -> [Shed] {
            metrics.tagSets(of: [.endpoint], among: [.requests]).compactMap { tags in
                let refused = tags.merging([.status: "503"]) { known, _ in known }
                let count = metrics.totalCount(of: MetricKey(.requests, refused))
                return count > 0 ? Shed(endpoint: tags[.endpoint] ?? "", count: count) : nil
            }
        }
    }

    /// A view from its parts.
    public init(
        workers: Int64, utilisation: Double?, longestQueue: Int64, received: Int64,
        replied: Int64, shed: [Shed]
    ) {
        self.workers = workers
        self.utilisation = utilisation
        self.longestQueue = longestQueue
        self.received = received
        self.replied = replied
        self.shed = shed
    }
}

extension ServerView {
    var json: JSON {
        .object([
            "workers": .integer(workers), "utilisation": .optional(utilisation, JSON.number),
            "longestQueue": .integer(longestQueue), "received": .integer(received),
            "replied": .integer(replied),
            "shed": .array(
                shed.map {
                    .object(["endpoint": .string($0.endpoint), "count": .integer($0.count)])
                }),
        ])
    }
}
