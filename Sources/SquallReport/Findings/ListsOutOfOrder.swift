import SquallFormat

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
