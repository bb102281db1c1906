import SquallFormat

/// Percentiles of latencies over time, on a scale of powers of ten.
struct PercentileChart {
    let title: String
    /// The intervals of one tag; at least one.
    let intervals: [LatencyLog.Interval]
    let spanNanoseconds: Int64
    let marks: [FaultRow]

    /// The fewest values that a 99th percentile is drawn of: with fewer it is the largest of a
    /// handful, and its line a comb.
    private static let valuesMin: Int64 = 200

    /// The intervals, each joined to the next ones until it has enough values.
    private var joined: [LatencyLog.Interval] {
        var all: [LatencyLog.Interval] = []
        for next in intervals {
            guard let last = all.last, last.endNanoseconds == next.startNanoseconds,
                last.histogram.count < Self.valuesMin
            else {
                all.append(next)
                continue
            }
            var both = Histogram()
            last.histogram.add(to: &both)
            next.histogram.add(to: &both)
            all[all.count - 1] = LatencyLog.Interval(
                tag: last.tag, startNanoseconds: last.startNanoseconds,
                lengthNanoseconds: next.endNanoseconds - last.startNanoseconds,
                histogram: PackedHistogram(both))
        }
        return all
    }

    var plot: Plot {
        let intervals = joined
        let values = intervals.map { interval in
            interval.histogram.microseconds(
                atPercentiles: Percentile.first.map(\.rank)
            ).map { $0 * 1_000 }
        }
        let end = max(spanNanoseconds, intervals.map(\.endNanoseconds).max() ?? 1)
        let time = Axis.time(toNanoseconds: end)
        let known = values.joined().filter { $0 > 0 }
        let vertical = Axis.durations(
            from: known.min() ?? 1_000, to: (known.max() ?? 1_000) / 5 * 6)
        return Plot(
            title: title,
            legend: Percentile.first.reversed().map {
                Plot.Key(name: $0.name, kind: "line-\($0.name)")
            },
            canGrow: intervals.count > 60, horizontal: time, vertical: vertical,
            marks: marks.map { $0.mark(on: time) },
            shapes: Percentile.first.indices.flatMap { line in
                pieces(intervals, values.map { $0[line] }, time, vertical).map {
                    Shape.line($0, "line-\(Percentile.first[line].name)")
                }
            },
            table: table(intervals, values, time))
    }

    /// The line of one percentile, interrupted where nothing ended.
    private func pieces(
        _ intervals: [LatencyLog.Interval], _ values: [Int64], _ time: Axis, _ vertical: Axis
    ) -> [[(x: Double, y: Double)]] {
        var pieces: [[(x: Double, y: Double)]] = []
        var last: Int64 = -1
        for (interval, value) in zip(intervals, values) {
            let y = vertical.place(of: Double(value))
            if interval.startNanoseconds != last { pieces.append([]) }
            pieces[pieces.count - 1] += [interval.startNanoseconds, interval.endNanoseconds].map {
                (x: time.place(of: Double($0)), y: y)
            }
            last = interval.endNanoseconds
        }
        return pieces
    }

    private func table(
        _ intervals: [LatencyLog.Interval], _ values: [[Int64]], _ time: Axis
    ) -> Table {
        Table(
            places: intervals.map {
                time.place(of: Double($0.startNanoseconds + $0.lengthNanoseconds / 2))
            },
            zip(intervals, values).map { interval, values in
                [Column.time(interval.startNanoseconds)]
                    + zip(Percentile.first.map(\.column), values).map { $0($1) }
            })
    }
}
