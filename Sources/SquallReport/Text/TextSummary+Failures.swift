import SquallFormat

/// Why steps and calls fail.
extension TextSummary {
    /// One line for each way in which a step ended and the call that it failed for.
    var stepFailures: [String] {
        let rows = summary.stepFailures.map { row in
            OwnedRow(
                owner: row.population,
                cells: [
                    "\(row.journey) · \(row.step)", Units.approximate(count: row.count),
                    row.outcome, row.cause.isEmpty ? "no call failed" : row.cause,
                ])
        }
        return table(
            "Why steps fail", ["failed", "the person saw", "after"], rows, leftAligned: [2, 3])
    }

    /// One line for each endpoint and what came back from it.
    var callFailures: [String] {
        let rows = summary.callFailures.map { row in
            let first = Units.approximate(nanoseconds: row.atNanoseconds)
            return OwnedRow(
                owner: row.population,
                cells: [
                    row.endpoint, Units.approximate(count: row.count), row.status,
                    "user \(row.user) at \(first)",
                ])
        }
        return table(
            "Why attempts fail", ["failed", "status", "the first"], rows, leftAligned: [2, 3])
    }
}
