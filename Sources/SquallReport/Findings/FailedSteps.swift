import SquallFormat

extension FindingRule {
    /// Steps that failed, by what the user saw instead.
    ///
    /// Audits and sign-outs are separate findings.
    static let failedSteps = FindingRule { summary in
        let audited = Set(summary.audits.map { [$0.population, $0.kind] })
        let rows = summary.stepFailures.filter { row in
            row.outcome != "loggedOut" && !audited.contains([row.population, row.outcome])
        }
        let groups = Dictionary(grouping: rows) { [$0.population, $0.outcome] }
        return groups.values.compactMap { rows in
            Finding(failed: rows) { summary.exampleIndex(of: $0.outcome, in: $0.population) }
        }.mostFirst
    }
}

extension Finding {
    /// Rows of one population and outcome, the most frequent first.
    fileprivate init?(
        failed rows: [StepFailureRow], exampleIndex: (StepFailureRow) -> Int64?
    ) {
        guard let first = rows.first else { return nil }
        let count = rows.reduce(0) { $0 + $1.count }
        let reasons = rows.prefix(3).map { row in
            "\(Units.grouped(row.count)) \(row.journey) · \(row.step)"
                + (row.cause.isEmpty ? "" : " after \(row.cause)")
        }
        self.init(
            label: "step.failed",
            headline: "\(Units.counted(count, "step")) ended in \(first.outcome)",
            count: count, population: first.population,
            detail: reasons.joined(separator: "; ") + (rows.count > 3 ? "; and more" : ""),
            example: Finding.example(
                user: first.user, at: first.atNanoseconds, ["\(first.journey) · \(first.step)"]),
            section: "Failures", exampleIndex: exampleIndex(first))
    }
}
