import SquallKernel
import SquallReport

/// Values that are all known beforehand, so that machines can share them without communication.
extension CapacitySearch {
    /// The end between neighbours of the grid, where the thresholds cease to hold.
    ///
    /// Every value has the number of replications asked for. The curve between values is taken as
    /// straight in logarithms. Of several ranges that hold, the one with today's value counts, or
    /// else the first.
    func gridEnd() throws -> CapacityEnd {
        let (search, count) = (search, options.replicationsMax)
        let values = search.isInverted ? options.grid.reversed() : options.grid
        table.estimate = "a grid of \(values.count) values"
        try table.run(values.map { ($0, 0..<count) })
        guard let span = span(of: values.map { table[$0].chosen(0..<count).holds }, values) else {
            return CapacityEnd(search, .never, at: search.load(of: values[0]))
        }
        guard span.upperBound < values.count - 1 else {
            return CapacityEnd(search, .always, at: search.load(of: values[span.upperBound]))
        }
        let (low, high) = (values[span.upperBound], values[span.upperBound + 1])
        let outside = table[high].all
        func root(_ numbers: [Int]) -> CapacityCurve.Root? {
            self.root(numbers, Array(values[span.lowerBound...]), search)
        }
        guard !outside.isBroken, let crossing = root(Array(0..<count)),
            var end = search.end(
                ConfidenceInterval(jackknifing: count) { root($0)?.shift }, crossing.threshold)
        else {
            return CapacityEnd(
                search, holds: search.load(of: low), fails: search.load(of: high),
                outside.evidence.firstIndex { !$0.holds } ?? 0)
        }
        end.shown = search.load(of: low) <= end.loads.low ?? 0 ? search.load(of: low) : nil
        return end
    }

    /// The indices of values that hold: the range around today's value, or else the first one.
    private func span(of holding: [Bool], _ values: [Double]) -> ClosedRange<Int>? {
        var spans: [ClosedRange<Int>] = []
        for index in holding.indices where holding[index] {
            if let last = spans.last, last.upperBound == index - 1 {
                spans[spans.count - 1] = last.lowerBound...index
            } else {
                spans.append(index...index)
            }
        }
        let today = values.lastIndex { search.load(of: $0) <= search.load(of: variation.today) }
        return spans.first { span in today.map(span.contains) ?? false } ?? spans.first
    }

    /// The logarithm of the first load between neighbours at which the curve of a threshold crosses
    /// its limit upwards, over some replications.
    private func root(
        _ numbers: [Int], _ values: [Double], _ search: BoundarySearch
    ) -> CapacityCurve.Root? {
        let thresholds = table[values[0]].replications[0]?.evidence.count ?? 0
        return (0..<thresholds).compactMap { threshold in
            let heights = values.map { value in
                PooledEvidence(threshold, of: table[value].chosen(numbers))?.excess
            }
            for index in values.indices.dropFirst() {
                guard let low = heights[index - 1], let high = heights[index], low <= 0, high > 0
                else { continue }
                let (left, right) = (
                    PortableMath.log(search.load(of: values[index - 1])),
                    PortableMath.log(search.load(of: values[index]))
                )
                return (left - low / (high - low) * (right - left), threshold)
            }
            return nil
        }.min { $0.shift < $1.shift }
    }
}
