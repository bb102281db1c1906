import SquallFormat

extension FindingRule {
    /// Attempts that failed, by status or error; an answer "expired" does not count.
    static let failedAttempts = FindingRule { summary in
        let groups = Dictionary(grouping: summary.attemptFailures) { [$0.population, $0.status] }
        return groups.values.compactMap(Finding.init(failed:)).mostFirst
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
    fileprivate init?(failed rows: [AttemptFailureRow]) {
        guard let first = rows.first else { return nil }
        let count = rows.reduce(0) { $0 + $1.count }
        let isStatus = Int(first.status) != nil
        let places = rows.prefix(3).map { row in
            // A call of no known endpoint is named after its method and path.
            let isStranger = row.endpoint.contains(" /")
            return "\(Units.grouped(row.count)) \(row.endpoint)"
                + (isStranger ? ", which no service knows" : "")
        }
        self.init(
            label: "attempt.failed",
            headline: "\(Units.counted(count, "attempt")) "
                + (isStatus ? "answered \(first.status)" : "without a response: \(first.status)"),
            count: count, population: first.population,
            detail: places.joined(separator: ", ") + (rows.count > 3 ? " and more" : ""),
            example: Finding.example(user: first.user, at: first.atNanoseconds, [first.endpoint]),
            lookAt: "Failures")
    }
}
