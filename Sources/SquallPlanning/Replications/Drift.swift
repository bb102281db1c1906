import SquallFormat
import SquallLab
import SquallReport

/// How something that a threshold asks about went at the beginning of what a run measures, and
/// later on.
///
/// Replications are independent, so whether their beginnings differ from what follows is a question
/// about the mean of so many differences, which has an exact test. A rule that looks at one run has
/// none: MSER-5 called 6 of 16 stationary searches unsteady.
public struct Drift: Codable, Hashable, Sendable {
    /// The series, as `timeseries.csv` calls it.
    public let series: String
    /// Its mean over the first quarter of what is measured before a fault.
    public let early: Double
    /// Its mean over the second half of that.
    public let late: Double

    /// Fewer rows than this say nothing.
    private static let rowsMin = 12

    /// Until when nothing was done to the server or the tokens, or the load ended.
    static func steadyUntil(_ summary: RunSummary) -> Int64 {
        let faults = summary.triggers.map(\.startNanoseconds)
            .filter { $0 > summary.measuredFromNanoseconds }
        return min(summary.measuredUntilNanoseconds, faults.min() ?? .max)
    }

    /// What each series that a run watches did, in its order.
    static func all(of result: RunResult) -> [Drift] {
        let summary = result.summary
        let begin = summary.measuredFromNanoseconds
        let interval = result.timeseries.intervalNanoseconds
        let first = Int((begin + interval - 1) / interval)
        let rows = first..<max(first, Int(steadyUntil(summary) / interval))
        guard rows.count >= rowsMin else { return [] }
        let table = TimeTable(result.timeseries, result.latencies)
        return summary.settling.compactMap { row in
            guard let column = TimelineColumn.written.first(where: { $0.name == row.series }),
                let all = table.values(of: column), all.count >= rows.upperBound
            else { return nil }
            let values = all[rows].map(Double.init)
            return Drift(
                series: row.series, early: Array(values.prefix(values.count / 4)).mean,
                late: Array(values.suffix(values.count / 2)).mean)
        }
    }
}

extension Drift {
    /// `the p95 wait for a step is 21s at first and 1.1s later`.
    var words: String {
        let isDuration = series.hasSuffix("_ns")
        func text(_ value: Double) -> String {
            isDuration
                ? Units.approximate(nanoseconds: Int64(clamped: value)) : Units.threeDigits(value)
        }
        return "\(name) \(isDuration ? "is" : "are") \(text(early)) at first and"
            + " \(text(late)) later"
    }

    /// What a sentence calls the series, which is of a metric or a level.
    private var name: String {
        let parts = series.split(separator: "_").map(String.init)
        if parts.last == "ns", let percentile = parts.dropLast().last {
            let metric = parts.dropLast(2).joined(separator: "_")
            return MetricWords.words(of: metric, "p(\(percentile.dropFirst()))")
        }
        return series == TimelineColumn.stepsRunning.name
            ? "steps under way" : MetricWords.noun(of: series)
    }
}

/// Whether what is measured begins in a transient, judged by several runs together.
public struct Transient {
    /// How often chance alone says so of a steady beginning, over all series together.
    public static let falseAlarms = 0.01
    /// How much of the later level a difference has to be to matter.
    private static let shareMin = 0.05

    /// What differs at the beginning, in the order of the run's series.
    public let series: [Drift]

    /// What the replications say of each series; nil where nothing differs.
    ///
    /// The mean difference of the pairs is held against nought by Student's t, at a level that is
    /// shared among the series (Bonferroni).
    public init?(_ replications: [Replication]) {
        guard let first = replications.first, replications.count > 2 else { return nil }
        let level = 1 - Self.falseAlarms / Double(max(1, first.drifts.count))
        series = first.drifts.indices.compactMap { index in
            let drifts = replications.compactMap { replication in
                replication.drifts.indices.contains(index) ? replication.drifts[index] : nil
            }
            guard drifts.count == replications.count,
                let difference = ConfidenceInterval(
                    meanOf: drifts.map { $0.early - $0.late }, level: level),
                let low = difference.low, let high = difference.high, low > 0 || high < 0
            else { return nil }
            let mean = Drift(
                series: drifts[0].series, early: drifts.map(\.early).mean,
                late: drifts.map(\.late).mean)
            let scale = max(mean.early.magnitude, mean.late.magnitude)
            return difference.value.magnitude > Self.shareMin * scale ? mean : nil
        }
        if series.isEmpty { return nil }
    }
}
