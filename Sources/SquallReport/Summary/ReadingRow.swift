public import SquallFormat

/// The reading of lists page by page, by population, list, and way to ask for pages.
public struct ReadingRow: Codable, Sendable {
    /// The population's name in the profile.
    let population: String
    /// The app its users have.
    let app: String
    /// The endpoint of the list.
    let endpoint: String
    /// The paging of its requests: `cursor` or `offset`.
    public let paging: String
    /// Sums over its readings.
    public let counts: Counts
    /// Pages per second of one reader.
    @OrNull public private(set) var pagesPerSecond: Double?
    /// Items per second of one reader.
    @OrNull private(set) var itemsPerSecond: Double?
    /// Time from the first call to the first page.
    public let firstPageNanoseconds: LatencySummary
    /// Time from the first call to the last page, for readings that reached it.
    public let endNanoseconds: LatencySummary
    /// The cost of pages by their depth in the list.
    public let depths: [Depth]
    /// The line through the times of all pages, where readers got far; nil elsewhere.
    @OrNull public private(set) var line: PageLine?

    /// A row of a population's figures.
    public init(
        population: String, app: String, endpoint: String, paging: String, counts: Counts,
        firstPage: LatencySummary, end: LatencySummary, depths: [DepthRow],
        sums: PageLine.Sums = PageLine.Sums()
    ) {
        self.population = population
        self.app = app
        self.endpoint = endpoint
        self.paging = paging
        self.counts = counts
        pagesPerSecond = counts.perSecond(counts.pages)
        itemsPerSecond = counts.perSecond(counts.items)
        firstPageNanoseconds = firstPage
        endNanoseconds = end
        self.depths = depths.map(Depth.init)
        line = isDeep ? PageLine(sums) : nil
    }

    /// True if readers got far enough for the depth of a page to matter, or were shown a wrong
    /// list.
    var isDeep: Bool {
        counts.repeated + counts.missed > 0 || depths.contains { $0.from >= 1_000 && $0.pages > 0 }
    }

    /// Sums over readings.
    public struct Counts: Codable, Sendable {
        /// Readings of more than one page, including those that did not reach the end.
        public var readings: Int64 = 0
        /// Pages that arrived.
        public var pages: Int64 = 0
        /// Items on those pages.
        public var items: Int64 = 0
        /// Items that the same reading had already shown.
        public var repeated: Int64 = 0
        /// Items that existed during the whole reading but that it never showed.
        public var missed: Int64 = 0
        /// Time from first calls to latest pages.
        public var spentNanoseconds: Int64 = 0

        /// Empty counts.
        public init() {}

        /// Adds the sums of other readings.
        public mutating func add(_ other: Counts) {
            readings += other.readings
            pages += other.pages
            items += other.items
            repeated += other.repeated
            missed += other.missed
            spentNanoseconds += other.spentNanoseconds
        }

        fileprivate func perSecond(_ count: Int64) -> Double? {
            spentNanoseconds > 0 ? Double(count) / (Double(spentNanoseconds) / 1e9) : nil
        }
    }

    /// The cost of pages at one depth: the number of items the reader already had.
    public struct Depth: Codable, Sendable {
        /// The lowest depth in the row.
        let from: Int64
        /// Pages that arrived.
        public let pages: Int64
        /// Rows that the server scanned for them.
        public let rowsScanned: Int64
        /// The mean time of a page; nil without pages.
        @OrNull public private(set) var meanPageNanoseconds: Int64?

        fileprivate init(_ row: DepthRow) {
            from = row.from
            pages = row.pages
            rowsScanned = row.rowsScanned
            meanPageNanoseconds = row.pages > 0 ? row.nanoseconds / row.pages : nil
        }

        /// Rows scanned per page.
        var rowsPerPage: Double? {
            pages > 0 ? Double(rowsScanned) / Double(pages) : nil
        }
    }
}

/// The growth of a page's time with the number of items that the reader had before: the straight
/// line of least squares through all pages.
public struct PageLine: Codable, Sendable {
    /// The time of a page at the start of a list.
    let startNanoseconds: Int64
    /// The time that a thousand items before a page add; negative where deeper pages are faster.
    let perThousandItemsNanoseconds: Int64
    /// The mean time of a page, at any depth.
    let meanNanoseconds: Int64
    /// The depth of the deepest page.
    let deepest: Int64

    /// Sums over pages, in milliseconds and thousands of items.
    public struct Sums: Sendable {
        fileprivate var pages = 0.0
        fileprivate var depth = 0.0
        fileprivate var time = 0.0
        fileprivate var depthSquared = 0.0
        fileprivate var depthTimesTime = 0.0
        fileprivate var deepest: Int64 = 0

        /// No pages.
        public init() {}

        /// Adds a page that was asked for with so many items before it.
        public mutating func add(depth items: Int, nanoseconds: Int64) {
            let (depth, time) = (Double(items) / 1_000, Double(nanoseconds) / 1e6)
            pages += 1
            self.depth += depth
            self.time += time
            depthSquared += depth * depth
            depthTimesTime += depth * time
            deepest = max(deepest, Int64(items))
        }

        /// Adds the sums of other pages.
        public mutating func add(_ other: Sums) {
            pages += other.pages
            depth += other.depth
            time += other.time
            depthSquared += other.depthSquared
            depthTimesTime += other.depthTimesTime
            deepest = max(deepest, other.deepest)
        }
    }

    /// The line; nil where all pages have one depth.
    init?(_ sums: Sums) {
        guard sums.pages > 1 else { return nil }
        let (depth, time) = (sums.depth / sums.pages, sums.time / sums.pages)
        let spread = sums.depthSquared / sums.pages - depth * depth
        guard spread > depth * depth * 1e-9 else { return nil }
        let slope = (sums.depthTimesTime / sums.pages - depth * time) / spread
        func whole(_ milliseconds: Double) -> Int64 {
            Int64(clamped: (milliseconds * 1e6).rounded())
        }
        startNanoseconds = whole(time - slope * depth)
        perThousandItemsNanoseconds = whole(slope)
        meanNanoseconds = whole(time)
        deepest = sums.deepest
    }

    /// True if depth changes the time of a page by a tenth of the mean: smaller changes are noise
    /// where pages are few.
    var isSteep: Bool {
        let rise = Double(perThousandItemsNanoseconds) * Double(deepest) / 1_000
        return rise.magnitude > Double(meanNanoseconds) / 10
    }
}

/// The cost of pages at one depth; the depth is the number of items the reader already had.
public struct DepthRow: Sendable {
    /// The lowest depth that it counts.
    public let from: Int64
    /// Pages that arrived.
    public var pages: Int64 = 0
    /// Rows that the server scanned for them.
    public var rowsScanned: Int64 = 0
    /// Time from calls to arrivals.
    public var nanoseconds: Int64 = 0

    /// Empty rows, by powers of ten: below 100, 1000, 10 000, 100 000, and deeper.
    public static let empty = [0, 100, 1_000, 10_000, 100_000].map { DepthRow(from: $0) }

    /// The index in `empty` of the row for a depth.
    public static func position(ofDepth depth: Int) -> Int {
        empty.lastIndex { $0.from <= depth } ?? 0
    }

    /// Adds the counts of another row of the same depth.
    public mutating func add(_ other: DepthRow) {
        pages += other.pages
        rowsScanned += other.rowsScanned
        nanoseconds += other.nanoseconds
    }
}

extension KeyedDecodingContainer {
    /// Results of versions that had no line lack the member.
    func decode(
        _ type: OrNull<PageLine>.Type, forKey key: Key
    ) throws -> OrNull<PageLine> {
        try decodeIfPresent(type, forKey: key) ?? OrNull(wrappedValue: nil)
    }
}
