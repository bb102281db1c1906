import SquallFormat

extension FindingRule {
    /// Load that the profile asks for and the run did not achieve: too many visits began late, are
    /// still waiting, or were refused.
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
                    + " \(Units.approximate(nanoseconds: row.delayNanoseconds.p95)): the population"
                    + " has too few users for that load at this speed. Add users, or read the"
                    + " result as the effect of an overload",
                section: "Load")
        }
    }
}

extension LoadRow {
    /// With a larger share of visits late or missing, the load is not the one asked for.
    private static let missedShareMax = 0.01

    /// Visits that were due to begin in the measured time.
    fileprivate var offered: Int64 { visits.offered + visits.waitingBefore }

    /// Those that did not begin within a second of their time.
    fileprivate var missed: Int64 {
        let planned = Double(offered - visits.refused)
        return offered - Int64((planned * (1 - (delayedShare ?? 0))).rounded())
    }

    fileprivate var isMissed: Bool { Double(missed) > Self.missedShareMax * Double(offered) }
}
