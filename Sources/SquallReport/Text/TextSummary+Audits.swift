import SquallFormat

/// What is wrong although no call failed.
extension TextSummary {
    /// One line for each kind and population, with an example.
    var audits: [String] {
        let rows = summary.audits.map { row in
            [
                row.kind, Units.approximate(count: row.count), row.population,
                row.example.fitted(to: max(16, width - 52)),
            ]
        }
        return table(
            "Audits", ["found", "population", "for example"], rows, leftAligned: [2, 3])
    }
}
