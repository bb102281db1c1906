import SquallFormat

extension FindingRule {
    /// Endpoints whose calls do nothing about an expired token.
    static let neverRefreshed = FindingRule { summary in
        summary.expiries.filter(\.neverRefreshes).map { row in
            let all = summary.expiries.filter { $0.population == row.population }
                .reduce(0) { $0 + $1.expiredResponses }
            let share = Double(row.expiredResponses) / Double(all)
            return Finding(
                label: "expiry.neverRefreshed",
                headline: Units.counted(row.expiredResponses, "expired response")
                    + " from \(row.endpoint) \(row.expiredResponses == 1 ? "was" : "were") not"
                    + " followed by a refresh (\(Units.percent(share)) of \(Units.grouped(all)))",
                count: row.expiredResponses, population: row.population,
                detail: "calls of \(row.endpoint) neither refresh the token nor are sent again",
                section: "Token refresh",
                exampleIndex: summary.exampleIndex(
                    of: "expiry.neverRefreshed.\(row.endpoint)", in: row.population))
        }
    }
}
