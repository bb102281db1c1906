import SquallFormat

/// The tables with a line for each step or endpoint, app by app.
extension TextSummary {
    var expiredSteps: [String] {
        let rows = summary.expiredSteps.map { row in
            AppRow(
                app: row.app, design: row.design,
                cells: [
                    row.name.text, Units.approximate(count: row.expiredSteps),
                    Units.approximate(count: row.refreshes),
                    row.refreshesPerExpiredStep.map(Units.threeDigits) ?? "–",
                ] + [row.retries, row.sessionsLost].map(Units.approximate(count:)))
        }
        return table(
            "Steps that met an expired token",
            ["expired", "refreshes", "a step", "retries", "signed out"], rows)
    }

    var expiries: [String] {
        let rows = summary.expiries.map { row in
            AppRow(
                app: row.app, design: row.design,
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
            let counts = [row.count, row.failed, row.idle, row.hung].map(Units.approximate(count:))
            return AppRow(
                app: row.app, design: row.design,
                cells: [row.name.text] + counts + row.latency.columns)
        }
        return table(
            "Steps", ["ended", "failed", "idle", "hung", "p50", "p95", "p99", "max"], rows)
    }

    var endpoints: [String] {
        let rows = summary.endpoints.map { row in
            let answers = row.answers
            let counts = [answers.ok, answers.clientError, answers.serverError, answers.lost]
                .map(Units.approximate(count:))
            return AppRow(
                app: row.app, design: nil, cells: [row.endpoint] + counts + row.latency.columns)
        }
        return table(
            "Endpoints", ["ok", "4xx", "5xx", "lost", "p50", "p95", "p99", "max"], rows)
    }

    /// A table in which the rows of each app and design stand below their name; one app alone needs
    /// no name, and one design of each app no design.
    private func table(_ title: String, _ heading: [String], _ rows: [AppRow]) -> [String] {
        let isNamed = Set(rows.map { [$0.app, $0.design] }).count > 1
        var lines: [[String]] = []
        for (index, row) in rows.enumerated() {
            let isFirst = index == 0 || !rows[index - 1].hasName(of: row)
            if isNamed, isFirst { lines.append([name(of: row, among: rows)]) }
            lines.append(isNamed ? ["  " + row.cells[0]] + row.cells.dropFirst() : row.cells)
        }
        return table(title, heading, lines)
    }

    private func name(of row: AppRow, among rows: [AppRow]) -> String {
        let isAlone = rows.allSatisfy { $0.app != row.app || $0.design == row.design }
        guard !isAlone, let design = row.design else { return row.app }
        return "\(row.app) · \(design)"
    }
}

/// A row of a table, and the app and design it is about.
private struct AppRow {
    let app: String
    /// Nil where the designs are not told apart.
    let design: String?
    let cells: [String]

    func hasName(of other: AppRow) -> Bool { app == other.app && design == other.design }
}

extension StepName {
    fileprivate var text: String { "\(journey) · \(step)" }
}

extension LatencySummary {
    fileprivate var columns: [String] {
        [p50, p95, p99, maximum].map(Units.approximate(nanoseconds:))
    }
}
