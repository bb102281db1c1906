public import SquallFormat

/// How lists were read page by page: by one population, one list, and one way to ask for pages.
public struct ReadingRow: Codable, Hashable, Sendable {
    /// The population's name in the profile.
    public let population: String
    /// The app its users have.
    public let app: String
    /// The list, by the endpoint that it is asked of.
    public let endpoint: String
    /// How the next page is asked for: `cursor` or `offset`.
    public let paging: String
    /// Readings of more than one page, those that were given up among them.
    public let readings: Int64
    /// Pages that came.
    public let pages: Int64
    /// Items on them.
    public let items: Int64
    /// Items that the same reading had shown before.
    public let repeated: Int64
    /// Items that were there from a reading's beginning to its end, and that it never showed.
    public let missed: Int64
    /// Pages that one reader got in a second.
    @OrNull public private(set) var pagesPerSecond: Double?
    /// Items that one reader got in a second.
    @OrNull public private(set) var itemsPerSecond: Double?
    /// Time from the first call to the first page.
    public let firstPage: LatencySummary
    /// Time from the first call to the last page, of readings that got there.
    public let end: LatencySummary
    /// What pages cost by how deep in the list they are.
    public let depths: [Depth]

    private enum CodingKeys: String, CodingKey {
        case population, app, endpoint, paging, readings, pages, items, repeated, missed, depths
        case pagesPerSecond, itemsPerSecond
        case firstPage = "firstPageNs"
        case end = "endNs"
    }

    /// A row from its parts.
    public init(
        population: String, app: String, endpoint: String, paging: String, counts: Counts,
        firstPage: LatencySummary, end: LatencySummary, depths: [DepthRow]
    ) {
        self.population = population
        self.app = app
        self.endpoint = endpoint
        self.paging = paging
        readings = counts.readings
        pages = counts.pages
        items = counts.items
        repeated = counts.repeated
        missed = counts.missed
        pagesPerSecond = counts.perSecond(counts.pages)
        itemsPerSecond = counts.perSecond(counts.items)
        self.firstPage = firstPage
        self.end = end
        self.depths = depths.map(Depth.init)
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

        fileprivate func perSecond(_ count: Int64) -> Double? {
            nanoseconds > 0 ? Double(count) / (Double(nanoseconds) / 1e9) : nil
        }
    }

    /// What pages of one depth cost; the depth is how many items the reader had got before.
    public struct Depth: Codable, Hashable, Sendable {
        /// The lowest depth that it counts.
        public let from: Int64
        /// Pages that came.
        public let pages: Int64
        /// Rows that the server looked at for them.
        public let rowsScanned: Int64
        /// How long one page took; nil without pages.
        @OrNull public private(set) var nanosecondsPerPage: Int64?

        private enum CodingKeys: String, CodingKey {
            case from, pages, rowsScanned
            case nanosecondsPerPage = "nsPerPage"
        }

        fileprivate init(_ row: DepthRow) {
            from = row.from
            pages = row.pages
            rowsScanned = row.rowsScanned
            nanosecondsPerPage = row.pages > 0 ? row.nanoseconds / row.pages : nil
        }

        /// Rows looked at for one page.
        var rowsPerPage: Double? {
            pages > 0 ? Double(rowsScanned) / Double(pages) : nil
        }
    }
}
