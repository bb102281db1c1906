import SquallFormat

extension FindingRule {
    /// Load that was asked for and not achieved: too many visits began late, wait still, or were
    /// refused.
    static let loadNotAchieved = FindingRule { summary in
        summary.load.filter(\.isMissed).map { row in
            let visits = row.visits
            let late = row.delayedShare.map { "\(Units.percent($0)) were over 1s late, " } ?? ""
            return Finding(
                label: "load.notAchieved",
                headline: "\(Units.grouped(row.missed)) of \(Units.grouped(row.offered))"
                    + " visits late, waiting or refused",
                count: row.missed, population: row.population,
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

    /// Visits that were to begin in what is measured.
    fileprivate var offered: Int64 { visits.offered + visits.waitingBefore }

    /// Those of them that did not begin within a second of when they were to.
    fileprivate var missed: Int64 {
        let planned = Double(offered - visits.refused)
        return offered - Int64((planned * (1 - (delayedShare ?? 0))).rounded())
    }

    fileprivate var isMissed: Bool { Double(missed) > Self.missedShareMax * Double(offered) }
}
