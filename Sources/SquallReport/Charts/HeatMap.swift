import SquallFormat

/// The number of latencies of each size in each interval: the darker, the more.
struct HeatMap {
    private static let columnsAtMost = 60
    /// The upper ends of rows within a power of ten.
    private static let factors: [Int64] = [1, 2, 5]
    private static let shades = 7

    let title: String
    /// The intervals of one tag, at least one, equally long except the first after a warm-up.
    let intervals: [LatencyLog.Interval]
    /// The faults of the run.
    let marks: [FaultRow]
    /// The end of the last interval; and the time that a column covers, in whole intervals.
    private let end, columnNanoseconds: Int64

    /// A map of a tag's intervals.
    init(title: String, intervals: [LatencyLog.Interval], marks: [FaultRow]) {
        self.title = title
        self.intervals = intervals
        self.marks = marks
        let end = intervals.map { $0.startNanoseconds + $0.lengthNanoseconds }.max() ?? 1
        self.end = max(1, end)
        let length = max(1, intervals.map(\.lengthNanoseconds).max() ?? 1)
        let limit = length * Int64(HeatMap.columnsAtMost)
        columnNanoseconds = length * ((self.end + limit - 1) / limit)
    }

    var plot: Plot {
        let bounds = bounds
        let vertical = Axis.durations(
            from: bounds.first ?? 0, to: bounds.last ?? 0)
        let counts = counts(bounds)
        let time = Axis.time(toNanoseconds: columnNanoseconds * Int64(columns))
        return Plot(
            title: title, legend: legend(most: counts.joined().max() ?? 0),
            canGrow: columns > 30, horizontal: time, vertical: vertical,
            marks: marks.map { $0.mark(on: time) },
            shapes: shapes(counts, bounds, vertical), table: table(counts, bounds))
    }

    /// The upper ends of the rows: 1, 2, 5, 10 … up to the first that no latency exceeds.
    ///
    /// Latencies below a thousandth of the largest are in the lowest row.
    private var bounds: [Int64] {
        let cells = intervals.flatMap { $0.histogram.cells.map(\.cell) }
        guard let first = cells.min(), let last = cells.max() else { return [] }
        let highest = HistogramLayout.highestValue(of: last)
        let lowest = max(HistogramLayout.lowestValue(of: first), highest / 1_000)
        var bounds = [Axis.powerOfTen(atMost: lowest)]
        var turn = 1
        while let bound = bounds.last, bounds.count == 1 || bound < highest {
            let factors = HeatMap.factors
            let power = bound / factors[(turn - 1) % factors.count]
            let isNextPower = turn % factors.count == 0
            bounds.append(isNextPower ? power * 10 : power * factors[turn % factors.count])
            turn += 1
        }
        return bounds
    }

    private var columns: Int { Int((end + columnNanoseconds - 1) / columnNanoseconds) }

    /// Counts by column, then by row.
    private func counts(_ bounds: [Int64]) -> [[Int64]] {
        let none = [Int64](repeating: 0, count: bounds.count)
        var counts = Array(repeating: none, count: columns)
        for interval in intervals {
            let column = Int(interval.startNanoseconds / columnNanoseconds)
            // Cells come by ascending value.
            var row = min(1, bounds.count - 1)
            for (cell, count) in interval.histogram.cells {
                let value = HistogramLayout.highestValue(of: cell)
                while row < bounds.count - 1, bounds[row] < value { row += 1 }
                counts[column][row] += count
            }
        }
        return counts
    }

    /// One path per shade, of one area for neighbours in a row.
    private func shapes(_ counts: [[Int64]], _ bounds: [Int64], _ vertical: Axis) -> [Markup] {
        let most = counts.joined().max() ?? 0
        var paths = [String](repeating: "", count: HeatMap.shades + 1)
        let edges = bounds.map { (Shape.size * (1 - vertical.place(of: Double($0)))).rounded() }
        for row in edges.indices.dropFirst() {
            let shades = counts.map { $0[row] > 0 ? shade(of: $0[row], most: most) : 0 }
            var first = 0
            while first < shades.count {
                let end = shades[first...].firstIndex { $0 != shades[first] } ?? shades.count
                if shades[first] > 0 {
                    paths[shades[first]] += area(first..<end, from: edges[row], to: edges[row - 1])
                }
                first = end
            }
        }
        return paths.enumerated().filter { !$0.element.isEmpty }.map { shade, path in
            Markup("path", ["class": "area wire shade-\(shade)", "d": path])
        }
    }

    private func area(_ span: Range<Int>, from top: Double, to bottom: Double) -> String {
        let scale = Shape.size / Double(columns)
        let left = Markup.number(Double(span.lowerBound) * scale)
        let right = Markup.number(Double(span.upperBound) * scale)
        return "M\(left) \(Markup.number(top))H\(right)V\(Markup.number(bottom))H\(left)z"
    }

    /// The number of latencies that each shade stands for.
    private func legend(most: Int64) -> [Plot.Key] {
        var keys: [Plot.Key] = []
        var highest = most
        for shade in (1...HeatMap.shades).reversed() where highest > 0 {
            let isLast = shade == 1
            let lowest = isLast ? 1 : leastCount(of: shade, most: most)
            guard lowest <= highest else { continue }
            let range =
                lowest == highest
                ? Units.grouped(lowest) : "\(Units.grouped(lowest))–\(Units.grouped(highest))"
            keys.append(Plot.Key(name: range, kind: "wire shade-\(shade)"))
            highest = lowest - 1
        }
        return keys.reversed()
    }

    private func leastCount(of shade: Int, most: Int64) -> Int64 {
        var limit = most
        for _ in shade..<HeatMap.shades { limit /= 4 }
        return max(1, limit)
    }

    /// The shade falls by one per factor of four, so that rare latencies, the ones in a peak, show.
    private func shade(of count: Int64, most: Int64) -> Int {
        (2...HeatMap.shades).last { leastCount(of: $0, most: most) <= count } ?? 1
    }

    private func table(_ counts: [[Int64]], _ bounds: [Int64]) -> Table {
        let used = bounds.indices.filter { row in counts.contains { $0[row] > 0 } }
        let lengths = used.map {
            Column("≤ \(Units.approximate(nanoseconds: bounds[$0]))", .count)
        }
        return Table(
            places: counts.indices.map { (Double($0) + 0.5) / Double(columns) },
            counts.enumerated().map { column, rows in
                [Column.time(Int64(column) * columnNanoseconds)]
                    + zip(lengths, used).map { $0(rows[$1]) }
            })
    }
}
