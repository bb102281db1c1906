import SquallFormat
import SquallLab
import SquallReport

/// The level of a series that a threshold is about, at the beginning of the measured time and later
/// on.
///
/// Replications are independent, so a difference between their beginnings and the rest is tested
/// exactly by the mean of their differences. A rule that looks at one run has none: MSER-5 called 6
/// of 16 stationary searches unsteady.
struct Drift: Codable, Equatable, Sendable {
    /// The series, as `timeseries.csv` calls it.
    let series: String
    /// Its mean over the first quarter of the measured time before a fault.
    let early: Double
    /// Its mean over the second half of that.
    let late: Double

    /// The fewest rows that can be judged.
    private static let rowsMin = 12

    /// The beginning of the first fault, or else the end of the measured time.
    static func steadyUntil(_ summary: RunSummary) -> Int64 {
        let faults = summary.faults.map(\.startNanoseconds)
            .filter { $0 > summary.measuredFromNanoseconds }
        return min(summary.measuredUntilNanoseconds, faults.min() ?? .max)
    }

    /// The drift of each series that a run watches, in its order.
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
        return "\(TimelineColumn.words(ofSeries: series)) is \(text(early)) at first and"
            + " \(text(late)) later"
    }
}

/// The series that begin with a transient, judged over several runs.
public struct Transient: Codable, Sendable {
    /// The probability that chance alone reports a transient, over all series together.
    static let falseAlarms = 0.01
    /// The least difference that matters, as a share of the later level.
    private static let shareMin = 0.05

    /// The series that differ, with their level at the beginning and later on, in the run's order.
    let series: [Drift]
    /// The option that leaves the beginning out, or makes the run long enough to do so.
    var option = ""
}

extension Transient {
    /// Judges each series over the replications; nil where none differs.
    ///
    /// The mean of the paired differences is tested against 0 by Student's t, at a level that is
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
                !difference.contains(0)
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
