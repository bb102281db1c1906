public import SquallFormat

/// A Grafana dashboard for the data in `openmetrics.txt`: one panel per question.
public enum GrafanaDashboard {
    /// The dashboard in Grafana's import format, schema version 39.
    public static var json: JSON {
        .object([
            "title": "Squall", "uid": "squall-run", "schemaVersion": 39, "version": 1,
            "tags": ["squall"], "timezone": "utc", "editable": .bool(true), "graphTooltip": 1,
            "time": .object(["from": "2024-09-01T00:00:00.000Z", "to": "2024-09-01T01:00:00.000Z"]),
            "templating": .object(["list": .array([source, profile])]),
            "annotations": .object(["list": []]),
            "panels": .array(panels.enumerated().map { panel($1, number: $0) }),
        ])
    }

    private typealias Question = (title: String, unit: String, columns: [TimelineColumn])

    private static var panels: [Question] {
        let latencies = { (metric: Metric) in
            TimelineColumn.percentiles.filter { $0.metric == metric }.map(\.column)
        }
        return [
            ("Attempts each second, by cause", "reqps", [.firstAttempts, .retries, .refreshes]),
            ("Responses per second", "reqps", [.succeeded, .expired, .failed, .lost]),
            ("Steps each second", "ops", [.stepsEnded, .stepsFailed, .stepsHung]),
            ("Refreshes and lost sessions per second", "ops", [.refreshes, .sessionsLost]),
            ("Step duration", "ns", latencies(.stepDuration)),
            ("What an attempt takes", "ns", latencies(.requestDuration)),
            ("Under way", "short", [.usersArrived, .stepsRunning, .held]),
            ("Of use each second", "ops", [.goodput, .items]),
        ]
    }

    private static func panel(_ question: Question, number: Int) -> JSON {
        let targets = question.columns.enumerated().map { index, column in
            let name = OpenMetricsText.name(of: column)
            let selector = "{profile=~\"$profile\"}"
            let isCounter = column.kind == .sum
            return JSON.object([
                "refId": .string(String(UnicodeScalar(UInt8(65 + index)))),
                "datasource": datasource,
                "expr": .string(
                    isCounter
                        ? "rate(\(name)_total\(selector)[$__rate_interval])" : name + selector),
                "legendFormat": .string("{{profile}} \(column.name)"),
            ])
        }
        return .object([
            "id": .integer(Int64(number + 1)), "type": "timeseries",
            "title": .string(question.title), "datasource": datasource,
            "gridPos": .object([
                "h": 8, "w": 12, "x": .integer(Int64(number % 2 * 12)),
                "y": .integer(Int64(number / 2 * 8)),
            ]),
            "fieldConfig": .object([
                "defaults": .object(["unit": .string(question.unit), "min": 0]), "overrides": [],
            ]),
            "options": .object([
                "legend": .object([
                    "calcs": [], "displayMode": "list", "placement": "bottom",
                    "showLegend": .bool(true),
                ]),
                "tooltip": .object(["mode": "multi", "sort": "none"]),
            ]),
            "targets": .array(targets),
        ])
    }

    private static var datasource: JSON {
        .object(["type": "prometheus", "uid": "${source}"])
    }

    private static var source: JSON {
        .object(["name": "source", "type": "datasource", "query": "prometheus"])
    }

    private static var profile: JSON {
        .object([
            "name": "profile", "type": "query", "datasource": datasource, "includeAll": .bool(true),
            "multi": .bool(true), "refresh": 2,
            "query": "label_values(squall_run_requests_total, profile)",
        ])
    }
}
