import SquallReport

/// How long visits have waited by the end of a load that offered them and began none of them.
///
/// There may be hundreds of millions, too many for one call each when a run is stopped.
struct VisitWaits {
    /// How long each has waited.
    let delays: Histogram
    /// When each was to begin, in order.
    private let since: ArraySlice<Int64>
    private let end: Int64

    init(since: ArraySlice<Int64>, until end: Int64) {
        self.since = since
        self.end = end
        var delays = Histogram()
        delays.record(from: since, to: end)
        self.delays = delays
    }

    /// How many have waited for longer than a span.
    func count(longerThan nanoseconds: Int64) -> Int64 {
        var (low, high) = (since.startIndex, since.endIndex)
        while low < high {
            let middle = (low + high) / 2
            if end - since[middle] > nanoseconds { low = middle + 1 } else { high = middle }
        }
        return Int64(low - since.startIndex)
    }
}
