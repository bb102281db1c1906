import SquallFormat

/// What the load offered, and what became of it.
extension TextSummary {
    /// One line for each population, in the profile's order.
    var load: [String] {
        // A closed load plans no beginning, so nothing in it is late.
        let isPlanned = summary.load.contains { $0.delay.count > 0 }
        let rows = summary.load.map { row in
            let visits = row.visits
            let fates = [
                visits.offered + visits.waitingBefore, visits.begun, visits.waiting,
                visits.refused, visits.ended, visits.givenUp, visits.underWay,
            ]
            let late = row.delay.count > 0 ? Units.approximate(nanoseconds: row.delay.p95) : "–"
            return [row.population] + fates.map(Units.approximate(count:))
                + (isPlanned ? [late] : [])
        }
        return table(
            "Load",
            ["offered", "begun", "waiting", "refused", "ended", "given up", "under way"]
                + (isPlanned ? ["late p95"] : []), rows)
    }
}
