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
