import SquallFormat

/// Latencies by percentile, on a scale where each further nine takes the same width.
struct SpectrumChart {
    /// One distribution.
    struct Series {
        let name: String
        let kind: String
        let histogram: Histogram
    }

    /// More nines than this are noise in any run of practical size.
    private static let ninesAtMost = 6

    let title: String
    let series: [Series]

    var plot: Plot {
        let count = series.map(\.histogram.count).max() ?? 0
        var nines = 1
        var size: Int64 = 10
        while size < count, nines < SpectrumChart.ninesAtMost {
            size *= 10
            nines += 1
        }
        let percentiles = Axis.percentiles(nines: nines)
        let lowest = series.map(\.lowest).min() ?? 0
        let highest = series.map(\.histogram.maximum).max() ?? 0
        // A fifth of room above, or the line of the highest value would be cut in half.
        let durations = Axis.durations(from: lowest, to: highest / 5 * 6)
        return Plot(
            title: title, legend: series.map { Plot.Key(name: $0.name, kind: "line-\($0.kind)") },
            horizontal: percentiles, vertical: durations,
            shapes: series.map { series in
                let points = series.points.map { share, value in
                    (x: percentiles.place(of: share), y: durations.place(of: Double(value)))
                }
                return Shape.line(points, "line-\(series.kind)")
            },
            table: table(percentiles))
    }

    private func table(_ axis: Axis) -> Table {
        let percentiles = [0, 25, 50, 75, 90, 95, 99, 99.9, 99.99, 99.999, 99.9999]
        let shown = percentiles.filter { axis.place(of: 100 / (100 - $0)) < 1 }
        return Table(
            places: shown.map { axis.place(of: 100 / (100 - $0)) },
            shown.map { percentile in
                [Column("percentile", .share)(percentile / 100)]
                    + series.map {
                        Column($0.name, .duration)($0.histogram.value(atPercentile: percentile))
                    }
            })
    }
}

extension SpectrumChart.Series {
    /// The least duration shown: steps without a request take no time at all.
    fileprivate var lowest: Int64 {
        let first = histogram.buckets.first { $0.highest > 0 }?.highest ?? 0
        return max(first, histogram.value(atPercentile: 1))
    }

    /// Each value with the 1/(1 − p) at which it is reached, thinned to what a chart can show.
    fileprivate var points: [(share: Double, value: Int64)] {
        var points: [(share: Double, value: Int64)] = []
        var reached: Int64 = 0
        for bucket in histogram.buckets {
            let share = Double(histogram.count) / Double(histogram.count - reached)
            reached += bucket.count
            // One part in two hundred of 1/(1 − p) is less than a pixel.
            if let last = points.last, share < last.share * 1.005 {
                points[points.count - 1].value = bucket.highest
            } else {
                points.append((share, bucket.highest))
            }
        }
        // The highest value extends to the end, even if many samples have it.
        return points + [(Double(histogram.count), points.last?.value ?? 0)]
    }
}
