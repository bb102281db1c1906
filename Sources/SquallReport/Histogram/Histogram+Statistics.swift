extension Histogram {
    /// The arithmetic mean; 0 when nothing was recorded.
    public var mean: Double {
        count == 0 ? 0 : Double(sum) / Double(count)
    }

    /// The standard deviation of the population, from the middles of the cells.
    var standardDeviation: Double {
        // One value has a cell whose middle it need not be.
        guard minimum < maximum else { return 0 }
        let mean = mean
        var squares = 0.0
        forEachCell { cell, count in
            let lowest = HistogramLayout.lowestValue(of: cell)
            let span = HistogramLayout.highestValue(of: cell) - lowest
            let middle = Double(lowest) + Double(span) / 2
            squares += (middle - mean) * (middle - mean) * Double(count)
        }
        return (squares / Double(count)).squareRoot()
    }

    /// The smallest value that at least this share of all values does not exceed.
    ///
    /// As in HdrHistogram the answer is the highest value of its bucket, so at most 0.1 % above the
    /// truth; unlike there it never exceeds the exact maximum. 0 when nothing was recorded.
    ///
    /// - Precondition: `percentile` is in 0…100.
    /// - Complexity: O(cells in use).
    public func value(atPercentile percentile: Double) -> Int64 {
        precondition((0...100).contains(percentile), "there is no percentile \(percentile)")
        guard percentile > 0 else { return minimum }
        let rank = Histogram.rank(atPercentile: percentile, of: count)
        guard let cell = cell(atRank: rank) else { return maximum }
        return min(HistogramLayout.highestValue(of: cell), maximum)
    }

    /// The rank, from the smallest value, at which a percentile is reached; at least 1.
    static func rank(atPercentile percentile: Double, of count: Int64) -> Int64 {
        // One step down, so that rounding of p/100 cannot push an exact rank to the next value.
        Int64(max(1, (percentile.nextDown * Double(count) / 100).rounded(.up)))
    }
}
