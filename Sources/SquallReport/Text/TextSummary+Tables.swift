import SquallFormat

/// The tables with a line for each step or endpoint, population by population.
extension TextSummary {
    var expiredSteps: [String] {
        let rows = summary.expiredSteps.map { row in
            OwnedRow(
                owner: row.population,
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
            OwnedRow(
                owner: row.population,
                cells: [
                    row.endpoint, Units.approximate(count: row.expiredAnswers),
                    Units.approximate(count: row.refreshes),
                    row.neverRefreshes ? "never refreshes" : "",
                ])
        }
        return table("Expired answers", ["expired", "refreshed", ""], rows)
    }

    /// What screens asked for while nobody saw them.
    var hiddenScreens: [String] {
        let rows = HiddenScreenRow.all(of: summary).map { row in
            OwnedRow(
                owner: row.population,
                cells: [
                    "\(row.journey) · \(row.step)", Units.approximate(count: row.covered),
                    Units.approximate(count: row.replaced),
                    row.perStep.map(Units.threeDigits) ?? "–",
                ])
        }
        return table("Calls of hidden screens", ["covered", "replaced", "a step"], rows)
    }

    var steps: [String] {
        let rows = summary.steps.filter { $0.count + $0.idle + $0.hung > 0 }.map { row in
            let counts = [row.count, row.failed, row.idle, row.hung].map(Units.approximate(count:))
            return OwnedRow(
                owner: row.population,
                cells: [row.name.text] + counts + row.latency.columns)
        }
        return table(
            "Steps", ["ended", "failed", "idle", "hung", "p50", "p95", "p99", "max"], rows)
    }

    /// Attempts without an end and waits for a connection have a column where there are any.
    var endpoints: [String] {
        let hasOpen = summary.endpoints.contains { $0.answers.neverEnded > 0 }
        let hasWaits = summary.endpoints.contains { $0.connectionWait.maximum > 0 }
        let rows = summary.endpoints.map { row in
            let answers = row.answers
            let counts =
                [answers.ok, answers.clientError, answers.serverError, answers.lost]
                + (hasOpen ? [answers.neverEnded] : [])
            let wait = Units.approximate(nanoseconds: row.connectionWait.p95)
            return OwnedRow(
                owner: row.population,
                cells: [row.endpoint] + counts.map(Units.approximate(count:))
                    + row.latency.columns + (hasWaits ? [wait] : []))
        }
        return table(
            "Endpoints",
            ["ok", "4xx", "5xx", "lost"] + (hasOpen ? ["no end"] : [])
                + ["p50", "p95", "p99", "max"] + (hasWaits ? ["for conn. p95"] : []), rows)
    }

    /// A table in which the rows of each population stand below its name; one alone needs none.
    func table(
        _ title: String, _ heading: [String], _ rows: [OwnedRow], leftAligned: Set<Int> = []
    ) -> [String] {
        let isNamed = Set(rows.map(\.owner)).count > 1
        var lines: [[String]] = []
        for (index, row) in rows.enumerated() {
            let isFirst = index == 0 || rows[index - 1].owner != row.owner
            if isNamed, isFirst { lines.append([row.owner]) }
            lines.append(isNamed ? ["  " + row.cells[0]] + row.cells.dropFirst() : row.cells)
        }
        return table(title, heading, lines, leftAligned: leftAligned)
    }
}

/// A row of a table, and the population it is about.
struct OwnedRow {
    let owner: String
    let cells: [String]
}

extension StepName {
    fileprivate var text: String { "\(journey) · \(step)" }
}

extension LatencySummary {
    fileprivate var columns: [String] {
        [p50, p95, p99, maximum].map {
            count > 0 ? Units.approximate(nanoseconds: $0) : "–"
        }
    }
}
