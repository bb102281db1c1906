import SquallFormat

extension FindingRule {
    /// Faults that populations did not recover from.
    static let noRecovery = FindingRule { summary in
        summary.populations.flatMap { population in
            population.faults.compactMap { Finding(unrecovered: $0, by: population.name) }
        }
    }
}

extension Finding {
    fileprivate init?(unrecovered fault: FaultRow, by population: String) {
        guard fault.recovery == .never || fault.recovery == .metastable else { return nil }
        let isMetastable = fault.recovery == .metastable
        let end = Units.approximate(nanoseconds: fault.endNanoseconds)
        let rate = { (rate: Double?) in rate.map(Units.rate(perSecond:)) ?? "–" }
        self.init(
            label: isMetastable ? "fault.metastable" : "fault.unrecovered",
            headline: "no recovery from \(fault.name)"
                + (isMetastable ? ": metastable" : ""),
            population: population,
            detail: "useful steps: \(rate(fault.goodputBefore)) before,"
                + " \(rate(fault.goodputAfter)) at the end of the run"
                + (fault.backlog.map { $0.leftRange ? "; the backlog was \($0.workedOff)" : "" }
                    ?? ""),
            example: "\(fault.name), over at \(end)", lookAt: "Faults")
    }
}
