import SquallFormat

extension FindingRule {
    /// Endpoints whose calls do nothing about an expired token.
    static let neverRefreshed = FindingRule { summary in
        summary.expiries.filter(\.neverRefreshes).map { row in
            Finding(
                label: "expiry.neverRefreshed",
                headline: Units.counted(row.expiredAnswers, "answer") + " \"expired\" of"
                    + " \(row.endpoint) that led to nothing",
                count: row.expiredAnswers, population: row.population,
                detail: "calls of \(row.endpoint) neither refresh the token nor are sent again",
                lookAt: "Token refresh",
                picture: summary.picture(
                    of: "expiry.neverRefreshed.\(row.endpoint)", in: row.population))
        }
    }
}
