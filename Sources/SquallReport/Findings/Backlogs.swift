import SquallFormat

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
    /// When it was over, in words.
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
