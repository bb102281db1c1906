import SquallFormat

/// Rates over virtual time, stacked on each other, with lines in front of them.
struct TimeChart {
    struct Series {
        let name: String
        /// The style of its area or line.
        let kind: String
        /// One number for each interval.
        let values: [Double]
    }

    static let rowsAtMost = 240

    let title: String
    /// The stacked series, from the bottom.
    var stack: [Series] = []
    var lines: [Series] = []
    /// The beginning of each interval, and the time that all of them cover.
    let starts: [Int64]
    let spanNanoseconds: Int64
    var marks: [FaultRow] = []

    var plot: Plot {
        let time = Axis.time(toNanoseconds: spanNanoseconds)
        let vertical = Axis.linear(to: max(1e-3, highest))
        return Plot(
            title: title,
            legend: lines.map { Plot.Key(name: $0.name, kind: "line-\($0.kind)") }
                + stack.reversed().map { Plot.Key(name: $0.name, kind: $0.kind) },
            canGrow: starts.count > 60,
            horizontal: time, vertical: vertical, marks: marks.map { $0.mark(on: time) },
            shapes: areas(vertical)
                + lines.map { Shape.line(steps($0.values, vertical), "line-\($0.kind)") },
            table: table)
    }

    private var highest: Double {
        let sums = starts.indices.map { row in stack.reduce(0) { $0 + $1.values[row] } }
        return (lines.flatMap(\.values) + sums).max() ?? 0
    }

    private func areas(_ vertical: Axis) -> [Markup] {
        var below = starts.map { _ in 0.0 }
        return stack.compactMap { series in
            guard series.values.contains(where: { $0 != 0 }) else { return nil }
            let above = zip(below, series.values).map { $0 + $1 }
            defer { below = above }
            return Shape.area(
                under: steps(above, vertical), over: steps(below, vertical), series.kind)
        }
    }

    /// A line of steps: a rate holds for its whole interval.
    private func steps(_ values: [Double], _ vertical: Axis) -> [(x: Double, y: Double)] {
        let width = 1 / Double(max(1, starts.count))
        return values.enumerated().flatMap { row, value in
            let y = vertical.place(of: value)
            return [(x: Double(row) * width, y: y), (x: Double(row + 1) * width, y: y)]
        }
    }

    private var table: Table {
        let series = lines + stack
        return Table(
            places: starts.indices.map { (Double($0) + 0.5) / Double(starts.count) },
            starts.enumerated().map { row, start in
                [Column.time(start)] + series.map { Column($0.name, .number)($0.values[row]) }
            })
    }
}
