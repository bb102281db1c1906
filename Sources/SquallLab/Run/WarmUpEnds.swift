import SquallFormat
import SquallReport

/// Where MSER-5 ends the warm-up of everything that a profile asks about, in a pilot run.
///
/// What settles first says nothing about the rest: steps under way settle within minutes, the age
/// of tokens within their lives. So each series is looked at by itself, as Wang and Glynn warn
/// ("On the marginal standard error rule and the testing of initial transient deletion methods",
/// ACM TOMACS 27, 2016), and the last of them counts.
struct WarmUpEnds {
    private let ends: [(column: TimelineColumn, nanoseconds: Int64?)]

    /// Looks at the steps under way, and at what the thresholds are about.
    init(of series: TimeSeries, until end: Int64, thresholds: [Threshold]) {
        let rows = series.rows.prefix(Int(end / series.intervalNanoseconds)).map(\.values)
        let columns = TimelineColumn.watched(for: thresholds.map(\.selection.metric))
        ends = columns.map { column in
            let position = series.position(of: column)
            let rows = WarmUpRule.truncation(of: rows.map { $0[position] })
            return (column, rows.map { Int64($0) * series.intervalNanoseconds })
        }
    }

    /// Where the last of them settles; nil when one does not.
    var end: Int64? {
        ends.allSatisfy { $0.nanoseconds != nil } ? ends.compactMap(\.nanoseconds).max() : nil
    }

    /// Where each of them settles, in words.
    var detail: String {
        let words = ends.map { column, end in
            end.map { "\(column.name) settled after \(Units.exact(nanoseconds: $0))" }
                ?? "\(column.name) never settles; let the run last longer"
        }
        return words.joined(separator: ", ")
    }
}

extension TimelineColumn {
    /// The columns that show whether what these metrics measure has settled, each once.
    fileprivate static func watched(for metrics: [Metric]) -> [TimelineColumn] {
        let asked = metrics.compactMap { metric -> TimelineColumn? in
            switch metric {
            case .refreshes, .refreshesPerExpiry, .refreshesPerExpiredStep, .refreshWait: .refreshes
            case .expiredAnswers: .expired
            case .requests, .logicalRequests, .requestDuration, .requestFailed: .requests
            case .serverWait, .serverQueue: .serverQueue
            case .workersBusy: .workersBusy
            default: nil
            }
        }
        return ([.stepsRunning] + asked).reduce(into: []) { columns, column in
            if !columns.contains(column) { columns.append(column) }
        }
    }
}
