import SquallFormat

extension FindingRule {
    /// Expiries that were refreshed more than once.
    static let storms = FindingRule { summary in
        summary.populations.filter { $0.redundantRefreshes > 0 }.map { row in
            let worst = summary.worstStep(of: row.name)
            let peak = Units.threeDigits(row.peakRefreshesPerSecond)
            return Finding(
                label: "storm",
                headline: Units.counted(row.redundantRefreshes, "redundant refresh"),
                count: row.redundantRefreshes, population: row.name,
                detail: "\(Units.counted(row.promptedRefreshes, "refresh")) for"
                    + " \(Units.counted(row.expiries, "expiry")),"
                    + " \(peak) a second at the peak",
                example: worst.map {
                    "\($0.journey) · \($0.step) sends \($0.each) refreshes per step with an"
                        + " expired token"
                } ?? "", section: "Token refresh",
                exampleIndex: summary.exampleIndex(of: "storm", in: row.name))
        }
    }
}

extension RunSummary {
    /// The step of a population that refreshes most often per expired token; nil if none refreshes
    /// more than once.
    func worstStep(of population: String) -> (journey: String, step: String, each: String)? {
        let rows = expiredSteps.filter { $0.population == population }
        let worst = rows.max {
            ($0.refreshesPerExpiredStep ?? 0) < ($1.refreshesPerExpiredStep ?? 0)
        }
        guard let worst, let each = worst.refreshesPerExpiredStep, each > 1 else { return nil }
        return (worst.journey, worst.step, Units.threeDigits(each))
    }
}

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

extension FindingRule {
    /// Calls that are refused as expired, refreshed and sent again, over and over.
    static let refreshLoops = FindingRule { summary in
        summary.populations.filter { $0.loopingCalls > 0 }.map { row in
            Finding(
                label: "storm.loop",
                headline: Units.counted(row.loopingCalls, "call")
                    + " refreshed again and again",
                count: row.loopingCalls, population: row.name,
                detail: "refused as expired and refreshed three times or more in one step, one of"
                    + " them \(Units.grouped(row.longestLoop)) times: each new token has expired"
                    + " before the call arrives, or the call does not show it",
                section: "Token refresh",
                exampleIndex: summary.exampleIndex(of: "storm", in: row.name))
        }
    }
}

extension FindingRule {
    /// Steps that never ended.
    static let hangs = FindingRule { summary in
        summary.populations.filter { $0.hangs > 0 }.map { row in
            let first = summary.hangs.named.first { $0.population == row.name }
            return Finding(
                label: "step.hung",
                headline: "\(Units.counted(row.hangs, "step")) that never ended",
                count: row.hangs, population: row.name,
                detail: "their users gave up",
                example: first.map { hang in
                    Finding.example(
                        user: hang.user, at: hang.startNanoseconds,
                        [
                            "\(hang.journey) · \(hang.step)", hang.request,
                            "lost in \(hang.lostIn)",
                        ])
                } ?? "", section: "Failures",
                exampleIndex: summary.exampleIndex(of: "step.hung", in: row.name))
        }
    }
}
