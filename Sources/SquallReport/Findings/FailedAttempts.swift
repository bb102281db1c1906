import SquallFormat

extension FindingRule {
    /// Attempts that failed, by status or error; an expired response does not count.
    static let failedAttempts = FindingRule { summary in
        let groups = Dictionary(grouping: summary.attemptFailures) { [$0.population, $0.status] }
        return groups.values.compactMap { Finding(failed: $0, of: summary) }.mostFirst
    }
}

extension [Finding] {
    /// The most frequent first.
    var mostFirst: [Finding] {
        ordered { left, right in
            (right.count, left.population ?? "", left.headline)
                < (left.count, right.population ?? "", right.headline)
        }
    }
}

extension Finding {
    /// Rows of one population and status, the most frequent first.
    fileprivate init?(failed rows: [AttemptFailureRow], of summary: RunSummary) {
        guard let first = rows.first else { return nil }
        let count = rows.reduce(0) { $0 + $1.count }
        // Of the attempts that ended in the measured time, some were sent before it.
        let ended = summary.endpoints.filter { $0.population == first.population }
            .reduce(0) { $0 + $1.responses.ended }
        let base =
            ended >= count
            ? " of \(Units.counted(ended, "attempt"))" : " \(count == 1 ? "attempt" : "attempts")"
        let isStatus = Int(first.status) != nil
        let places = rows.prefix(3).map { row in
            // A call of no known endpoint is named after its method and path.
            let isStranger = row.endpoint.contains(" /")
            return "\(Units.grouped(row.count)) \(row.endpoint)"
                + (isStranger ? ", which no service knows" : "")
        }
        self.init(
            label: "attempt.failed",
            headline: isStatus
                ? "\(Units.counted(count, "attempt")) answered \(first.status)"
                : "\(Units.grouped(count))\(base) ended without a response: \(first.status)",
            count: count, population: first.population,
            detail: places.joined(separator: ", ") + (rows.count > 3 ? " and more" : ""),
            example: Finding.example(user: first.user, at: first.atNanoseconds, [first.endpoint]),
            section: "Failures")
    }
}
