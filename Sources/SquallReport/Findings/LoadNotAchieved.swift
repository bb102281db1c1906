import SquallFormat

extension FindingRule {
    /// Load that was asked for and not achieved: too many visits began late, wait still, or were
    /// refused.
    static let loadNotAchieved = FindingRule { summary in
        summary.load.filter(\.isMissed).map { row in
            let visits = row.visits
            let offered = visits.offered + visits.waitingBefore
            let late = row.delayedShare.map { "\(Units.percent($0)) were over 1s late, " } ?? ""
            return Finding(
                label: "load.notAchieved",
                headline: "\(Units.grouped(offered - visits.begunInTime(row.delayedShare))) of"
                    + " \(Units.grouped(offered)) visits late, waiting or refused",
                count: offered - visits.begunInTime(row.delayedShare), population: row.population,
                detail: "\(Units.grouped(visits.begun)) began, \(Units.grouped(visits.waiting))"
                    + " still wait, \(Units.grouped(visits.refused)) were refused; \(late)p95"
                    + " \(Units.approximate(nanoseconds: row.delay.p95)): the people there are"
                    + " cannot make that load at this speed. Give the population more users, or"
                    + " read the run as what an overload does",
                lookAt: "Load")
        }
    }
}

extension LoadRow {
    /// Beyond this share of visits that were late or never began, the load is another than asked.
    private static let missedShareMax = 0.01

    fileprivate var isMissed: Bool {
        let offered = visits.offered + visits.waitingBefore
        guard offered > 0 else { return false }
        let refused = Double(visits.refused) / Double(offered)
        return refused + (delayedShare ?? 0) > Self.missedShareMax
    }
}

extension LoadRow.Visits {
    /// Those of the offered that began within a second of when they were to.
    fileprivate func begunInTime(_ delayedShare: Double?) -> Int64 {
        let planned = Double(offered + waitingBefore - refused)
        return Int64((planned * (1 - (delayedShare ?? 0))).rounded())
    }
}
