import SquallFormat
import SquallKernel
import SquallReport

/// Thresholds that only hold or fail, such as a count that must be zero: the answer is a bracket.
extension BoundarySearch {
    /// Bisects between a load at which all replications hold and one at which one does not.
    func step(_ low: Double, _ high: Double) throws -> CapacityEnd {
        var (low, high) = (low, high)
        if try !holdsEverywhere(low) {
            (low, high) = try fallback(from: low)
            guard low > 0 else { return CapacityEnd(self, .never, at: high) }
        }
        while high > low * (1 + options.precision) {
            let middle = rounded((max(low, high * 1e-6) * high).squareRoot())
            guard middle > low, middle < high else { break }
            if try holdsEverywhere(middle) { low = middle } else { high = middle }
        }
        return CapacityEnd(self, holds: low, fails: high, failing(at: high))
    }

    /// True if every threshold holds at a load: over all replications together, and in each one
    /// where the threshold only holds or fails.
    private func holdsEverywhere(_ load: Double) throws -> Bool {
        for count in [2, 5, CapacityOptions.replicationsMin] {
            let count = min(count, options.replicationsMax)
            let probe = try run(load, 0..<count, stopsWhenLost: true)
            if probe.chosen(0..<count).isBroken { return false }
        }
        let count = min(CapacityOptions.replicationsMin, options.replicationsMax)
        return probe(load).chosen(0..<count).holds
    }

    /// A lower load at which all replications hold, and one above it at which they do not; the
    /// first is 0 where no load holds.
    private func fallback(from load: Double) throws -> (Double, Double) {
        var high = load
        for _ in 0..<60 {
            let next = rounded(high / 1.25)
            guard next < high, next > 0, isPossible(next) else { break }
            if try holdsEverywhere(next) { return (next, high) }
            high = next
        }
        return (0, high)
    }

    private func failing(at load: Double) -> Int {
        let evidence = probe(load).all.evidence
        return evidence.firstIndex { $0.excess == nil && !$0.holds }
            ?? evidence.firstIndex { !$0.holds } ?? 0
    }
}

/// Settings of small whole numbers: the answer is a number and its neighbour.
extension BoundarySearch {
    /// `holds` if every threshold holds at a load; `isSure` if that is statistically sure.
    private typealias Judgement = (holds: Bool, isSure: Bool)

    /// Bisects until the two loads are adjacent; each is judged by as many replications as it
    /// takes to be sure.
    func neighbours(_ low: Double, _ high: Double) throws -> CapacityEnd {
        var (low, high) = (low, high)
        while try !judge(low).holds {
            high = low
            low = next(low, isHarder: false)
            guard low < high, low > 0, isPossible(low) else {
                return CapacityEnd(self, .never, at: high)
            }
        }
        while try judge(high).holds {
            low = high
            high = next(high, isHarder: true)
            guard high > low, high.isFinite, isPossible(high) else {
                return CapacityEnd(self, .always, at: low)
            }
        }
        while next(low, isHarder: true) < high {
            // Two apart or more, so that it is neither of them.
            let middle = rounded((low * high).squareRoot())
            if try judge(middle).holds { low = middle } else { high = middle }
        }
        let isSure = try judge(low).isSure && judge(high).isSure
        var end = CapacityEnd(self, holds: low, fails: high, failing(at: high))
        end.isSure = isSure
        return end
    }

    /// The largest load below the break-even that its replications show to hold, while none below
    /// it fails; nil where none is near.
    ///
    /// A load at the lower end of the interval would need as many replications again to be sure of,
    /// so the loads beside the curve's centre, which have some, come first.
    func shown(below end: CapacityEnd) throws -> Double? {
        guard end.kind == .found, let low = end.loads.low else { return nil }
        let known = loads.filter { $0 <= low && probe($0).replications.count >= Self.pilot }
        let further = [2.0, 5, 10].map {
            rounded(allowed(low * PortableMath.exp(-$0 * options.precision)))
        }
        let candidates = Set(known.suffix(2) + further.filter { $0 <= low && $0 > 0 })
        candidates: for load in candidates.ordered(by: >) {
            guard isPossible(load), try judge(load) == (true, true) else {
                continue
            }
            for other in loads where other < load && !probe(other).all.holds {
                guard try judge(other).holds else { continue candidates }
            }
            return load
        }
        return nil
    }

    /// Adds replications at a load until the interval of its excess lies on one side of the limit.
    private func judge(_ load: Double) throws -> Judgement {
        var count = min(Self.pilot, options.replicationsMax)
        while true {
            let probe = try run(load, 0..<count)
            let chosen = probe.chosen(0..<count)
            if chosen.isBroken { return (false, true) }
            let interval = ConfidenceInterval(jackknifing: count) {
                probe.chosen($0).excess
            }
            let isSure =
                if let low = interval?.low, let high = interval?.high { high < 0 || low > 0 } else {
                    count >= CapacityOptions.replicationsMin
                }
            guard !isSure, count < options.replicationsMax else {
                return (chosen.holds, isSure)
            }
            count = options.more(than: count)
        }
    }
}
