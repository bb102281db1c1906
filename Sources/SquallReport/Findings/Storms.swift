import SquallFormat

extension FindingRule {
    /// Expiries that were refreshed more than once.
    static let storms = FindingRule { summary in
        summary.populations.filter { $0.redundantRefreshes > 0 }.map { row in
            let worst = summary.worstStep(of: row.name)
            let refreshes = row.redundantRefreshes == 1 ? "refresh" : "refreshes"
            let expiries =
                "\(Units.grouped(row.expiries)) \(row.expiries == 1 ? "expiry" : "expiries")"
            let peak = Units.threeDigits(row.peakRefreshesPerSecond)
            return Finding(
                label: "storm",
                headline: "\(Units.grouped(row.redundantRefreshes)) redundant \(refreshes)",
                count: row.redundantRefreshes, population: row.name,
                detail: "\(Units.grouped(row.promptedRefreshes)) refreshes for \(expiries),"
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
