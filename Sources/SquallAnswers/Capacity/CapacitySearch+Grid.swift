import SquallKernel
import SquallLab
import SquallReport

/// Values that are all known beforehand, so that machines can share them without communication.
extension CapacitySearch {
    /// The answer between neighbours of the grid, where the thresholds begin or cease to hold.
    ///
    /// Every value has the number of replications asked for. The curve between values is taken as
    /// straight in logarithms. Of several ranges that hold, the one with today's value counts, or
    /// else the first.
    func gridResult() throws -> Result {
        let values = options.grid
        let count = options.replicationsMax
        table.estimate = "a grid of \(values.count) values"
        try table.run(values.map { ($0, 0..<count) })
        let holding = values.map { table[$0].chosen(0..<count).holds }
        guard let span = span(of: holding) else {
            return Result(end: unended(.never, of: values))
        }
        let upper =
            span.upperBound < values.count - 1
            ? end(.moreIsWorse, Array(values[span.lowerBound...]), span.count, count) : nil
        let lower =
            span.lowerBound > 0
            ? end(.moreIsBetter, values[...span.upperBound].reversed(), span.count, count) : nil
        return Result(
            end: upper ?? lower ?? unended(.always, of: values),
            other: upper == nil ? nil : lower)
    }

    /// The value at which a search would end where all values hold, or none does.
    private func unended(_ kind: CapacityAnswer.Outcome, of values: [Double]) -> CapacityEnd {
        let search = search(options.direction ?? .moreIsWorse)
        let isLast = search.isInverted == (kind == .never)
        return CapacityEnd(
            search, kind, at: search.load(of: values[isLast ? values.count - 1 : 0]))
    }

    /// The indices of values that hold: the range around today's value, or else the first one.
    private func span(of holding: [Bool]) -> ClosedRange<Int>? {
        var spans: [ClosedRange<Int>] = []
        for index in holding.indices where holding[index] {
            if let last = spans.last, last.upperBound == index - 1 {
                spans[spans.count - 1] = last.lowerBound...index
            } else {
                spans.append(index...index)
            }
        }
        let today = options.grid.lastIndex { $0 <= variation.today }
        return spans.first { span in today.map(span.contains) ?? false } ?? spans.first
    }

    /// The end of a range; the values are given from inside it outwards.
    private func end(
        _ direction: CapacityDirection, _ values: [Double], _ inside: Int, _ count: Int
    ) -> CapacityEnd {
        let search = search(direction)
        let (low, high) = (search.load(of: values[inside - 1]), search.load(of: values[inside]))
        let outside = table[values[inside]].all
        guard !outside.isBroken, let root = root(Array(0..<count), values, search),
            var end = search.end(
                ConfidenceInterval(jackknifing: count) { self.root($0, values, search)?.shift },
                root.threshold)
        else {
            return CapacityEnd(
                search, holds: low, fails: high, outside.evidence.firstIndex { !$0.holds } ?? 0)
        }
        end.shown = low <= end.loads.low ?? 0 ? low : nil
        return end
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
