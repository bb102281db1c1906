import SquallFormat

extension FindingRule {
    /// Attempts that failed, by status or error; an expired response does not count.
    static let failedAttempts = FindingRule { summary in
        let groups = Dictionary(grouping: summary.attemptFailures) { [$0.population, $0.status] }
        return groups.values.compactMap { Finding(failed: $0, of: summary) }.mostFirst
    }
}

extension [Finding] {
    /// The findings with the highest count first.
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

extension FindingRule {
    /// Steps that failed, by the outcome that the user saw.
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

extension FindingRule {
    /// Audits that are grave: about money, or about what the profile expects not to happen.
    static let graveAudits = FindingRule { summary in
        summary.audits.filter { $0.isGrave(in: summary) }.findings(in: summary)
    }

    /// The other audits.
    static let audits = FindingRule { summary in
        summary.audits.filter { !$0.isGrave(in: summary) }.findings(in: summary)
    }
}

extension AuditRow {
    /// The prefixes of kinds that are about users' money.
    private static let aboutMoney = ["charged", "purchase"]

    /// True if it is about money, or a broken expectation is about it.
    fileprivate func isGrave(in summary: RunSummary) -> Bool {
        Self.aboutMoney.contains { kind.hasPrefix($0) }
            || summary.thresholds.contains { !$0.ok && $0.metric.contains("cause:\(kind)") }
    }
}

extension [AuditRow] {
    /// A finding for each row, the most frequent first.
    fileprivate func findings(in summary: RunSummary) -> [Finding] {
        ordered { $0.count > $1.count }.map { row in
            Finding(
                label: row.kind,
                headline: "\(Units.grouped(row.count)) \(row.description) (\(row.kind))",
                count: row.count, population: row.population,
                example: row.example,
                section: "Audits",
                exampleIndex: summary.exampleIndex(of: row.kind, in: row.population))
        }
    }
}

extension FindingRule {
    /// Lists in which readers saw items twice, or never saw some that were there all the time.
    static let listsOutOfOrder = FindingRule { summary in
        summary.readings.filter { $0.counts.repeated + $0.counts.missed > 0 }.map { row in
            let count = row.counts.repeated + row.counts.missed
            return Finding(
                label: "reading.outOfOrder",
                headline: "\(Units.grouped(row.counts.repeated)) items shown twice and"
                    + " \(Units.grouped(row.counts.missed)) missed",
                count: count, population: row.population,
                detail: "in \(Units.grouped(row.counts.readings)) readings of \(row.endpoint) by"
                    + " \(row.paging)", section: "Pagination")
        }
    }
}

extension FindingRule {
    /// Counts of metrics that exceed the rows' counts, so that no problem is missed.
    static let unexplained = FindingRule { summary in
        let hangs = summary.total(of: .hangs)?.count ?? summary.hangs.total
        let failed = (summary.total(of: .stepFailed)?.quotient?.part ?? 0) - hangs
        let rows: [(String, Int64, Int64, String)] = [
            ("step.hung", hangs, summary.populations.reduce(0) { $0 + $1.hangs }, "never ended"),
            (
                "step.failed", failed, summary.stepFailures.reduce(0) { $0 + $1.count },
                "failed"
            ),
            (
                "session.lost", summary.total(of: .sessionsLost)?.count ?? 0,
                summary.populations.reduce(0) { $0 + $1.sessionsLost },
                "ended at the sign-in screen"
            ),
        ]
        return rows.compactMap { label, measured, told, words in
            guard measured > told else { return nil }
            let count = measured - told
            return Finding(
                label: label,
                headline: "\(Units.counted(count, "step")) that \(words)",
                count: count, section: "Journeys")
        }
    }
}
