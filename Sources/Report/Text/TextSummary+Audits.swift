/// What is wrong although no call failed.
extension TextSummary {
    /// One line for each kind and population, with an example.
    var audits: [String] {
        guard !summary.audits.isEmpty else { return [] }
        var table = TextTable(leftAligned: [2, 3])
        table.append(["Audits", "found", "population", "for example"])
        for row in summary.audits {
            table.append([
                "  " + row.kind, Units.approximate(count: row.count), row.population,
                row.example.fitted(to: 28),
            ])
        }
        let lines = table.lines(width: width, indentation: 0)
        return [emphasised(lines[0])] + lines.dropFirst()
    }
}
