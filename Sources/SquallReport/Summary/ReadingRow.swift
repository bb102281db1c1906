import SquallFormat

/// How lists were read page by page: by one population, one list, and one way to ask for pages.
public struct ReadingRow: Hashable, Sendable {
    /// The population's name in the profile.
    public let population: String
    /// The app its users have.
    public let app: String
    /// The list, by the endpoint that it is asked of.
    public let endpoint: String
    /// How the next page is asked for: `cursor` or `offset`.
    public let paging: String
    /// What was counted.
    public let counts: Counts
    /// Time from the first call to the first page.
    public let firstPage: LatencySummary
    /// Time from the first call to the last page, of readings that got there.
    public let end: LatencySummary
    /// What pages cost by how deep in the list they are.
    public let depths: [DepthRow]

    /// A row from its parts.
    public init(
        population: String, app: String, endpoint: String, paging: String, counts: Counts,
        firstPage: LatencySummary, end: LatencySummary, depths: [DepthRow]
    ) {
        self.population = population
        self.app = app
        self.endpoint = endpoint
        self.paging = paging
        self.counts = counts
        self.firstPage = firstPage
        self.end = end
        self.depths = depths
    }

    /// Pages that one reader got in a second.
    public var pagesPerSecond: Double? { perSecond(counts.pages) }

    /// Items that one reader got in a second.
    public var itemsPerSecond: Double? { perSecond(counts.items) }

    private func perSecond(_ count: Int64) -> Double? {
        counts.nanoseconds > 0 ? Double(count) / (Double(counts.nanoseconds) / 1e9) : nil
    }

    /// Sums over readings.
    public struct Counts: Hashable, Sendable {
        /// Readings of more than one page, those that were given up among them.
        public var readings: Int64 = 0
        /// Pages that came.
        public var pages: Int64 = 0
        /// Items on them.
        public var items: Int64 = 0
        /// Items that the same reading had shown before.
        public var repeated: Int64 = 0
        /// Items that were there from a reading's beginning to its end, and that it never showed.
        public var missed: Int64 = 0
        /// Time from first calls to newest pages.
        public var nanoseconds: Int64 = 0

        /// Nothing counted.
        public init() {}
    }
}

/// What pages of one depth cost; the depth is how many items the reader had got before.
public struct DepthRow: Hashable, Sendable {
    /// The lowest depth that it counts.
    public let from: Int64
    /// Pages that came.
    public var pages: Int64 = 0
    /// Rows that the server looked at for them.
    public var rowsScanned: Int64 = 0
    /// Time from their calls to their arrivals.
    public var nanoseconds: Int64 = 0

    /// Nothing, by powers of ten: below 100, 1000, 10 000, 100 000, and deeper.
    public static var empty: [DepthRow] {
        [0, 100, 1_000, 10_000, 100_000].map { DepthRow(from: $0) }
    }

    /// The position in `empty` of the row that counts a depth.
    public static func position(ofDepth depth: Int) -> Int {
        switch depth {
        case ..<100: 0
        case ..<1_000: 1
        case ..<10_000: 2
        case ..<100_000: 3
        default: 4
        }
    }

    private init(from: Int64) { self.from = from }

    /// Adds what another row of the same depth counted.
    public mutating func add(_ other: DepthRow) {
        pages += other.pages
        rowsScanned += other.rowsScanned
        nanoseconds += other.nanoseconds
    }

    /// Rows looked at for one page.
    public var rowsPerPage: Double? {
        pages > 0 ? Double(rowsScanned) / Double(pages) : nil
    }

    /// How long one page took, in nanoseconds.
    public var nanosecondsPerPage: Int64? { pages > 0 ? nanoseconds / pages : nil }
}

extension ReadingRow {
    var json: JSON {
        .object([
            "population": .string(population), "app": .string(app), "endpoint": .string(endpoint),
            "paging": .string(paging), "readings": .integer(counts.readings),
            "pages": .integer(counts.pages), "items": .integer(counts.items),
            "repeated": .integer(counts.repeated), "missed": .integer(counts.missed),
            "pagesPerSecond": .optional(pagesPerSecond, JSON.number),
            "itemsPerSecond": .optional(itemsPerSecond, JSON.number),
            "firstPageNs": .object(firstPage.members), "endNs": .object(end.members),
            "depths": .array(depths.map(\.json)),
        ])
    }
}

extension DepthRow {
    var json: JSON {
        .object([
            "from": .integer(from), "pages": .integer(pages), "rowsScanned": .integer(rowsScanned),
            "nsPerPage": .optional(nanosecondsPerPage, JSON.integer),
        ])
    }
}
