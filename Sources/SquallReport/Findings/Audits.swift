import SquallFormat

extension FindingRule {
    /// What is wrong although no call failed.
    static let audits = FindingRule { summary in
        summary.audits.sorted { $0.count > $1.count }.map { row in
            Finding(
                label: row.kind, headline: "\(Units.grouped(row.count)) \(row.words)",
                count: row.count, population: row.population, detail: row.kind,
                example: row.example,
                lookAt: "Audits", picture: summary.picture(of: row.kind, in: row.population))
        }
    }
}
