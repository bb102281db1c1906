import SquallApps
import SquallBackend
import SquallFormat
import SquallLab
import SquallReport

/// One number of a run under the name by which commands ask for it: a metric with its tags and an
/// aggregate, as in a threshold.
struct Figure: Codable, Sendable {
    /// The name, as `step_duration p(95)`.
    let name: String
    let unit: NumberUnit
    /// The number.
    let value: Double

    init(_ name: String, _ unit: NumberUnit, _ value: Double) {
        (self.name, self.unit, self.value) = (name, unit, value)
    }
}

extension Figure {
    /// Every number of a summary that can be compared: each metric's total and series, and the
    /// figures computed from them.
    static func all(of summary: RunSummary) -> [Figure] {
        summary.metrics.flatMap(figures) + views(of: summary) + summary.endpointFigures
    }

    /// Every number of one series.
    static func figures(of row: MetricSummary) -> [Figure] {
        let tags = row.tags.ordered { $0.key.rawValue < $1.key.rawValue }
            .map { "\($0.key.rawValue):\($0.value)" }.joined(separator: ",")
        let name = tags.isEmpty ? row.name : "\(row.name){\(tags)}"
        switch row.values {
        case .counter(let count):
            let each = Figure("\(name) count", .count, Double(count.count))
            return [each] + (count.rate.map { [Figure("\(name) rate", .perSecond, $0)] } ?? [])
        case .quotient(let quotient):
            guard let value = quotient.value else { return [] }
            guard row.kind == .rate else { return [Figure("\(name) value", .number, value)] }
            return [
                Figure("\(name) rate", .share, value),
                Figure("\(name) count", .count, Double(quotient.part)),
            ]
        case .gauge(let level?):
            return [
                Figure("\(name) max", .count, Double(level.maximum)),
                Figure("\(name) min", .count, Double(level.minimum)),
                Figure("\(name) value", .count, Double(level.value)),
            ]
        case .gauge(nil): return []
        case .trend(let latency): return figures(of: latency, name)
        }
    }

    fileprivate static func figures(of latency: LatencySummary, _ name: String) -> [Figure] {
        let count = Figure("\(name) count", .count, Double(latency.count))
        guard latency.count > 0 else { return [count] }
        let others = [
            ("avg", latency.mean), ("max", latency.maximum), ("min", latency.minimum),
        ]
        let durations = others + Percentile.all.map { ($0.aggregate, $0(latency)) }
        return [count]
            + durations.ordered { $0.0 < $1.0 }
            .map { Figure("\(name) \($0.0)", .nanoseconds, Double($0.1)) }
    }

    private static func views(of summary: RunSummary) -> [Figure] {
        var figures: [Figure] = []
        func add(_ name: String, _ unit: NumberUnit, _ value: Double?) {
            if let value { figures.append(Figure(name, unit, value)) }
        }
        // Assumed values make a verdict weaker, and no threshold fail.
        add("passed", .share, [.passed, .notMeasured].contains(summary.verdict) ? 1 : 0)
        let stuck = summary.audits.filter {
            AuditKind.installed($0.kind)?.name == ScreenFault.stuck.name
        }.reduce(0) { $0 + $1.count }
        add("screens_stuck count", .count, Double(stuck))
        add("server_busy", .share, summary.server?.utilisation)
        if let requests = summary.total(of: .requestDuration)?.latency,
            summary.measuredNanoseconds > 0
        {
            // Little's law.
            let time = Double(requests.mean) * Double(requests.count)
            add("concurrency avg", .number, time / Double(summary.measuredNanoseconds))
        }
        add("server_queue max", .count, summary.server.map { Double($0.longestQueue) })
        if let refreshes = summary.refreshes {
            add("refresh_rate max", .perSecond, refreshes.peakRefreshesPerSecond)
            add("refresh_rate avg", .perSecond, refreshes.meanRefreshesPerSecond)
        }
        for (index, fault) in summary.faults.enumerated() {
            let name = index == 0 ? "recovery" : "recovery{fault:\(index + 1)}"
            add("\(name) time", .nanoseconds, fault.recovery.afterNanoseconds.map(Double.init))
            guard fault.recovery != .unknown else { continue }
            add("\(name) ok", .share, fault.recovery.afterNanoseconds == nil ? 0 : 1)
        }
        return figures
    }
}

extension RunSummary {
    /// The durations of each endpoint's requests, whatever their status; by population, too, where
    /// several call it.
    fileprivate var endpointFigures: [Figure] {
        endpoints.flatMap { row in
            let isShared = endpoints.count { $0.endpoint == row.endpoint } > 1
            let place = isShared ? ",population:\(row.population)" : ""
            return Figure.figures(
                of: row.durationNanoseconds,
                "\(Metric.requestDuration.name){endpoint:\(row.endpoint)\(place)}")
        }
    }
}

/// One number in each of several replications.
struct FigureSeries: Codable, Sendable {
    /// Its name, as `step_duration p(95)`.
    let name: String
    /// The unit of the numbers.
    let unit: NumberUnit
    /// The numbers, by replication; nil where one has none.
    let values: [Double?]

    /// Every figure that some replication has, in the order in which they first appear.
    static func all(of replications: [[Figure]]) -> [FigureSeries] {
        var order: [String] = []
        var units: [String: NumberUnit] = [:]
        var values: [String: [Double?]] = [:]
        for (number, figures) in replications.enumerated() {
            for figure in figures {
                if units.updateValue(figure.unit, forKey: figure.name) == nil {
                    order.append(figure.name)
                    values[figure.name] = Array(repeating: nil, count: replications.count)
                }
                values[figure.name]?[number] = figure.value
            }
        }
        return order.compactMap { name in
            guard let unit = units[name], let values = values[name] else { return nil }
            return FigureSeries(name: name, unit: unit, values: values)
        }
    }
}
