import SquallFormat

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

    /// Whether it is about money, or a broken expectation is about it.
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
