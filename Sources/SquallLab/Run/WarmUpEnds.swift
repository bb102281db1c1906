import SquallFormat
import SquallReport

/// The moments at which MSER-5 ends the transients of all series of a run that the profile
/// measures.
///
/// A series that settles early says nothing about the others: running steps settle within minutes,
/// the age of tokens within their lives. So each series is judged by itself, as Wang and Glynn
/// advise ("On the marginal standard error rule and the testing of initial transient deletion
/// methods", ACM TOMACS 27, 2016), and the last of them counts.
struct WarmUpEnds {
    let rows: [SettlingRow]

    /// Judges the running steps, and the metrics of the thresholds, while the load lasts.
    ///
    /// Latencies are kept only from `measuredFrom` on, so they are judged from there.
    init(
        of series: TimeSeries, _ latencies: LatencyLog, measuredFrom: Int64, until end: Int64,
        thresholds: [Threshold]
    ) {
        let table = TimeTable(series, latencies)
        let interval = series.intervalNanoseconds
        let columns = TimelineColumn.watched(for: thresholds.map(\.selection.metric))
        rows = columns.map { column in
            let isWhole = series.columns.contains(column)
            let first = isWhole ? 0 : (measuredFrom + interval - 1) / interval
            let values = table.values(of: column) ?? []
            let looked = Array(values.prefix(Int(end / interval)).dropFirst(Int(first)))
            return SettlingRow(column, looked, from: isWhole ? 0 : measuredFrom, each: interval)
        }
    }

    /// The moment at which the last of them settles; `nil` when one does not.
    var end: Int64? {
        let ends = rows.compactMap(\.settledAfterNanoseconds)
        return ends.count == rows.count ? ends.max() : nil
    }

    /// The moments at which each of them settles, in words.
    var detail: String {
        let words = rows.map { row in
            row.settledAfterNanoseconds.map {
                "\(row.series) settled after \(Units.exact(nanoseconds: $0))"
            } ?? "\(row.series) never settles; let the run last longer"
        }
        return words.joined(separator: ", ")
    }
}

extension SettlingRow {
    fileprivate init(
        _ column: TimelineColumn, _ values: [Int64], from start: Int64, each interval: Int64
    ) {
        switch WarmUpRule.truncation(of: values) {
        case .after(let count):
            self.init(
                series: column.name, .settled, afterNanoseconds: start + Int64(count) * interval)
        case .never: self.init(series: column.name, .never)
        case .tooShort: self.init(series: column.name, .tooShort)
        }
    }
}

extension TimelineColumn {
    /// The columns by which these metrics are judged as settled or not, each once.
    ///
    /// Rare events, such as hangs, are not among them: of such a series the rule would leave out
    /// everything in its first half.
    fileprivate static func watched(for metrics: [Metric]) -> [TimelineColumn] {
        let asked = metrics.flatMap { metric -> [TimelineColumn] in
            switch metric {
            case .refreshes, .refreshesPerExpiry, .refreshesPerExpiredStep, .refreshWait:
                [.refreshes]
            case .expiredResponses: [.expired]
            case .requests, .logicalRequests, .requestFailed, .expiredRepaired: [.requests]
            case .requestDuration:
                [.requests] + [TimelineColumn.p95(of: .requestDuration)].compactMap(\.self)
            case .stepDuration: [TimelineColumn.p95(of: .stepDuration)].compactMap(\.self)
            case .retries: [.retries]
            case .serverWait: [.serverQueue, .serverWaitP95]
            case .serverQueue: [.serverQueue]
            case .workersBusy: [.workersBusy]
            default: []
            }
        }
        return ([.stepsRunning] + asked).reduce(into: []) { columns, column in
            if !columns.contains(column) { columns.append(column) }
        }
    }
}
