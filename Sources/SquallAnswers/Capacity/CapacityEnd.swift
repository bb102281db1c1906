import SquallReport

/// One end of the range of values that meet every threshold.
struct CapacityEnd {
    /// The search that found it, which has the scale of its loads.
    let search: BoundarySearch
    /// The ending of the search for it.
    let kind: CapacityAnswer.Outcome
    /// Where it is, in loads: the interval in which the curve of a threshold crosses its limit, or
    /// the load that holds and the one that fails; otherwise the last load that was tried.
    let loads: ConfidenceInterval
    /// The index of the threshold that fails beyond it; nil where none does, or none holds.
    let threshold: Int?
    /// The largest load below a crossing that was shown to hold; nil where none was.
    var shown: Double?
    /// Of two adjacent whole numbers, true if both are statistically sure; `nil` for all others.
    var isSure: Bool?

    /// The end where a curve crosses a limit.
    init(_ search: BoundarySearch, crossing loads: ConfidenceInterval, _ threshold: Int?) {
        (self.search, self.loads, self.threshold) = (search, loads, threshold)
        kind = .found
    }

    /// The end between a load that holds and one at which a threshold fails.
    init(_ search: BoundarySearch, holds: Double, fails: Double, _ threshold: Int) {
        (self.search, self.threshold) = (search, threshold)
        kind = .bracketed
        loads = ConfidenceInterval(holds, low: holds, high: fails)
    }

    /// No end: the last load that was tried holds as well, or fails as well.
    init(_ search: BoundarySearch, _ kind: CapacityAnswer.Outcome, at load: Double) {
        (self.search, self.kind, threshold) = (search, kind, nil)
        loads = ConfidenceInterval(load, low: nil, high: nil)
    }

    /// The last value that holds; nil where none does.
    var value: Double? { interval?.value }

    /// The end as an interval of values.
    var interval: ConfidenceInterval? {
        let value = search.value(of: loads.value)
        switch kind {
        case .found: return search.interval(loads)
        case .bracketed:
            let fails = fails ?? value
            return ConfidenceInterval(value, low: min(value, fails), high: max(value, fails))
        case .always:
            return ConfidenceInterval(
                value, low: search.isInverted ? nil : value, high: search.isInverted ? value : nil)
        case .never: return nil
        }
    }

    /// The next whole number, which fails; nil where the answer is no whole number.
    var neighbour: CapacityAnswer.Neighbour? {
        guard let isSure, let fails else { return nil }
        return CapacityAnswer.Neighbour(value: fails, isSure: isSure)
    }

    private var fails: Double? { loads.high.map(search.value) }
}
