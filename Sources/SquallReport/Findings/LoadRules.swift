import SquallFormat

extension FindingRule {
    /// Faults that populations did not recover from; faults of the same time are one finding.
    static let noRecovery = FindingRule { summary in
        summary.populations.flatMap { population in
            let bad = population.faults.filter {
                $0.recovery == .never || $0.recovery == .metastable
            }
            let events = bad.reduce(into: [[FaultRow]]()) { events, fault in
                let place = events.firstIndex {
                    $0[0].startNanoseconds == fault.startNanoseconds
                        && $0[0].endNanoseconds == fault.endNanoseconds
                        && $0[0].recovery == fault.recovery
                }
                if let place { events[place].append(fault) } else { events.append([fault]) }
            }
            return events.compactMap { Finding(unrecovered: $0, by: population.name) }
        }
    }
}

extension Finding {
    fileprivate init?(unrecovered faults: [FaultRow], by population: String) {
        guard let fault = faults.first else { return nil }
        let names = faults.map(\.name).joined(separator: " and ")
        let isMetastable = fault.recovery == .metastable
        let end = Units.approximate(nanoseconds: fault.endNanoseconds)
        let rate = { (rate: Double?) in rate.map(Units.rate(perSecond:)) ?? "–" }
        self.init(
            label: isMetastable ? "fault.metastable" : "fault.unrecovered",
            headline: "no recovery from \(names)"
                + (isMetastable ? ": metastable" : ""),
            population: population,
            detail: "useful steps: \(rate(fault.goodputBefore)) before,"
                + " \(rate(fault.goodputAfter)) at the end of the run",
            example: "\(names), over at \(end)", section: "Faults")
    }
}

extension FindingRule {
    /// Faults that made the server fall behind, also when it worked the backlog off.
    static let backlogs = FindingRule { summary in
        summary.faults.compactMap { Finding(backlogOf: $0) }
    }
}

extension Finding {
    fileprivate init?(backlogOf fault: FaultRow) {
        guard let backlog = fault.backlog, backlog.leftRange else { return nil }
        let end = Units.approximate(nanoseconds: fault.endNanoseconds)
        self.init(
            label: "fault.backlog",
            headline: "backlog of \(Units.counted(backlog.largest, "request")) after \(fault.name)",
            count: backlog.largest,
            detail: "\(backlog.workedOff), longest wait"
                + " \(Units.approximate(nanoseconds: backlog.longestWaitNanoseconds)),"
                + " at most \(Units.grouped(backlog.before)) waiting in the minute before",
            example: "\(fault.name), over at \(end)", section: "Faults")
    }
}

extension Backlog {
    /// The moment at which the backlog was worked off, in words.
    var workedOff: String {
        switch (recovery.outcome, recovery.afterNanoseconds) {
        case (.recovered, 0): "worked off before the fault ended"
        case (.recovered, let span?):
            "worked off \(Units.approximate(nanoseconds: span)) after the fault ended"
        case (.never, _), (.metastable, _): "not worked off when the load ended"
        case (.unknown, _), (.recovered, nil):
            "not worked off when the load ended, which tells too little"
        }
    }
}

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

    /// Visits that did not begin within a second of their time.
    fileprivate var missed: Int64 {
        let planned = Double(offered - visits.refused)
        return offered - Int64((planned * (1 - (delayedShare ?? 0))).rounded())
    }

    fileprivate var isMissed: Bool { Double(missed) > Self.missedShareMax * Double(offered) }
}

extension FindingRule {
    /// Self-checks that failed: no other number of the run can be trusted.
    static let brokenLaws = FindingRule { summary in
        summary.selfChecks.filter { !$0.ok }.map { check in
            Finding(
                label: "selfCheck.broken", headline: "a self-check failed",
                detail: "\(check.name): \(check.detail)", section: "Self-checks", failsRun: true)
        }
    }
}
