import SquallFormat

extension FindingRule {
    /// Endpoints whose calls do nothing about an expired token.
    static let neverRefreshed = FindingRule { summary in
        summary.expiries.filter(\.neverRefreshes).map { row in
            let answers = row.expiredAnswers == 1 ? "answer" : "answers"
            return Finding(
                label: "expiry.neverRefreshed",
                headline: "\(Units.grouped(row.expiredAnswers)) \(answers) \"expired\" of"
                    + " \(row.endpoint) that led to nothing",
                count: row.expiredAnswers, population: row.population,
                detail: "calls of \(row.endpoint) neither refresh the token nor are sent again",
                lookAt: "Token refresh",
                picture: summary.picture(
                    of: "expiry.neverRefreshed.\(row.endpoint)", in: row.population))
        }
    }
}
