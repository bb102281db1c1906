import SquallFormat

extension FindingRule {
    /// Users who were shown the sign-in screen without asking for it.
    static let sessionsLost = FindingRule { summary in
        summary.populations.filter { $0.sessionsLost > 0 }.map { row in
            let first = summary.stepFailures.first {
                $0.population == row.name && $0.outcome == "loggedOut"
            }
            return Finding(
                label: "session.lost",
                headline: "\(Units.counted(row.sessionsLost, "session")) lost",
                count: row.sessionsLost, population: row.name,
                detail: "the app signed users out in the middle of a journey",
                example: first.map { first in
                    Finding.example(
                        user: first.user, at: first.atNanoseconds,
                        ["\(first.journey) · \(first.step)", first.cause])
                } ?? "", section: "Token refresh",
                exampleIndex: summary.exampleIndex(of: "session.lost", in: row.name))
        }
    }
}

extension StepFailureRow {
    /// The failed call that caused it, if any.
    var cause: String { endpoint.isEmpty ? "" : "\(endpoint) \(status)" }
}
