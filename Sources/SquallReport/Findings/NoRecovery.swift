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
