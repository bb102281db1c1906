import SquallFormat

/// The tables with a line for each step or endpoint, app by app.
extension TextSummary {
    var storms: [String] {
        let rows = summary.storms.map { storm in
            let counts = [storm.retries, storm.sessionsLost].map(Units.approximate(count:))
            return AppRow(
                app: storm.name.app,
                cells: [
                    storm.name.text, Units.approximate(count: storm.expiredSteps),
                    Units.approximate(count: storm.refreshes), storm.refreshesEach,
                ] + counts)
        }
        return table("Storms", ["expired", "refreshes", "each", "retries", "signed out"], rows)
    }

    var expiries: [String] {
        let rows = summary.expiries.map { row in
            AppRow(
                app: row.app,
                cells: [
                    row.endpoint, Units.approximate(count: row.expiredAnswers),
                    Units.approximate(count: row.refreshes),
                    row.refreshes == 0 && row.expiredAnswers > 0 ? "never refreshes" : "",
                ])
        }
        return table("Expired answers", ["expired", "refreshed", ""], rows)
    }

    var steps: [String] {
        let rows = summary.steps.map { row in
            let counts = [row.count, row.failed, row.hung].map(Units.approximate(count:))
            return AppRow(app: row.name.app, cells: [row.name.text] + counts + row.latency.columns)
        }
        return table("Steps", ["ended", "failed", "hung", "p50", "p95", "p99", "max"], rows)
    }

    var endpoints: [String] {
        let rows = summary.endpoints.map { row in
            let ok = (row.answers[.success] ?? 0) + (row.answers[.redirection] ?? 0)
            let others = [.clientError, .serverError, .lost].map { row.answers[$0] ?? 0 }
            let counts = ([ok] + others).map(Units.approximate(count:))
            return AppRow(app: row.app, cells: [row.endpoint] + counts + row.latency.columns)
        }
        return table(
            "Endpoints", ["ok", "4xx", "5xx", "lost", "p50", "p95", "p99", "max"], rows)
    }

    /// A table in which each app's rows stand below its name; one app alone needs no name.
    private func table(_ title: String, _ heading: [String], _ rows: [AppRow]) -> [String] {
        let isNamed = rows.contains { $0.app != rows.first?.app }
        var lines: [[String]] = []
        for (index, row) in rows.enumerated() {
            if isNamed, index == 0 || rows[index - 1].app != row.app { lines.append([row.app]) }
            lines.append(isNamed ? ["  " + row.cells[0]] + row.cells.dropFirst() : row.cells)
        }
        return table(title, heading, lines)
    }
}

/// A row of a table, and the app it is about.
private struct AppRow {
    let app: String
    let cells: [String]
}

extension StepName {
    fileprivate var text: String { "\(journey) · \(step)" }
}

extension StormRow {
    fileprivate var refreshesEach: String {
        expiredSteps == 0 ? "–" : Units.threeDigits(Double(refreshes) / Double(expiredSteps))
    }
}

extension LatencySummary {
    fileprivate var columns: [String] {
        [p50, p95, p99, maximum].map(Units.approximate(nanoseconds:))
    }
}
