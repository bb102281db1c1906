import SquallFormat
import SquallReport

/// The measurements of one of several load generators: everything that adds up to one result.
public struct DrivenPart: Codable, Sendable {
    /// The file's name, beside the part's own.
    public static let file = "driven.json"

    /// The number of the part, from 1, and the number of parts.
    public let index, count: Int
    /// The profile that was driven, overrides inserted.
    public let profile: String
    /// The beginning of its load, in seconds since 1970 by the clock of its machine.
    let began: Double
    let requests: Int64
    let summary: RunSummary
    let metrics: MetricsRecord
    private let columns: [String]
    private let intervalNanoseconds: Int64
    private let rows: [[Int64]]
    private let latencies: String

    /// The part that a result is.
    public init(
        _ result: RunResult, _ share: UserShare, of profile: String, began: Double
    ) {
        (index, count) = (share.index, share.count)
        (self.profile, self.began, requests) = (profile, began, result.requests)
        (summary, metrics) = (result.summary, MetricsRecord(result.output.metrics))
        columns = result.timeseries.columns.map(\.name)
        intervalNanoseconds = result.timeseries.intervalNanoseconds
        rows = result.timeseries.rows.map(\.values)
        latencies = result.latencies.text
    }

    /// The number of its intervals: until its own last step ended.
    var intervals: Int { rows.count }

    /// Adds its intervals to those of other parts, and its last levels to those after them.
    func add(to series: inout TimeSeries, intervals: Int) {
        let known = columns.map { name in series.columns.first { $0.name == name } }
        for row in 0..<intervals {
            guard let values = row < rows.count ? rows[row] : rows.last else { return }
            for (column, value) in zip(known, values) {
                guard let column, row < rows.count || column.kind == .level else { continue }
                series.add(column, value, at: Int64(row) * intervalNanoseconds)
            }
        }
    }

    /// The time series that parts are added to.
    var emptySeries: TimeSeries {
        let known = TimelineColumn.builtIn.filter { columns.contains($0.name) }
        return TimeSeries(columns: known, intervalNanoseconds: intervalNanoseconds)
    }

    /// Its latencies by interval.
    ///
    /// - Throws: the fault in their text.
    func latencyLog() throws(FileSyntaxError) -> LatencyLog { try LatencyLog(text: latencies) }
}
