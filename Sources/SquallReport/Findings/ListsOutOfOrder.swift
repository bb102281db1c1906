import SquallFormat

extension FindingRule {
    /// Lists in which readers saw items twice, or never saw some that were there all the time.
    static let listsOutOfOrder = FindingRule { summary in
        summary.readings.filter { $0.repeated + $0.missed > 0 }.map { row in
            let count = row.repeated + row.missed
            return Finding(
                label: "reading.outOfOrder",
                headline: "\(Units.grouped(row.repeated)) items shown twice and"
                    + " \(Units.grouped(row.missed)) missed",
                count: count, population: row.population,
                detail: "in \(Units.grouped(row.readings)) readings of \(row.endpoint) by"
                    + " \(row.paging)", lookAt: "Pagination")
        }
    }
}
