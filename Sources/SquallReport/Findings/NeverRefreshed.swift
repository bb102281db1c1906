import SquallFormat

extension FindingRule {
    /// Endpoints whose calls do nothing about an expired token.
    static let neverRefreshed = FindingRule { summary in
        summary.expiries.filter(\.neverRefreshes).map { row in
            let all = summary.expiries.filter { $0.population == row.population }
                .reduce(0) { $0 + $1.expiredAnswers }
            let share = Double(row.expiredAnswers) / Double(all)
            return Finding(
                label: "expiry.neverRefreshed",
                headline: Units.counted(row.expiredAnswers, "expired response")
                    + " from \(row.endpoint) \(row.expiredAnswers == 1 ? "was" : "were") not"
                    + " followed by a refresh (\(Units.percent(share)) of \(Units.grouped(all)))",
                count: row.expiredAnswers, population: row.population,
                detail: "calls of \(row.endpoint) neither refresh the token nor are sent again",
                lookAt: "Token refresh",
                picture: summary.picture(
                    of: "expiry.neverRefreshed.\(row.endpoint)", in: row.population))
        }
    }
}
