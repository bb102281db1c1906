import SquallKernel
import SquallReport

/// The uncertainty of a fit in the interval of an answer.
extension CapacitySearch {
    /// Widens an end's interval by the fit's uncertainty; nil where no fitted settings are drawn.
    ///
    /// Each draw's own end is sought with one replication, and so is that of the fit as it stands,
    /// with the same seed; so the difference of their logarithms is due to the settings alone. The
    /// variance of those differences is added to that of the runs (Cheng and Holland, *Sensitivity
    /// of computer simulation experiments to errors in input data*, Journal of Statistical
    /// Computation and Simulation 57, 1997). So it does not fall with the number of replications,
    /// and is 0 where nothing is uncertain.
    ///
    /// - Throws: what a run throws; `StopRequested` or ``ReplicationsMissing`` if it was stopped.
    func widened(
        _ end: CapacityEnd
    ) throws -> (end: CapacityEnd, spread: CapacityAnswer.FittedSpread)? {
        guard let drawn else { return nil }
        let loads = end.loads
        guard loads.high != nil else {
            return (end, CapacityAnswer.FittedSpread(runs: end.interval, ends: [], spread: nil))
        }
        let count = min(CapacityOptions.replicationsMin, options.replicationsMax)
        let tables = [ProbeTable(variation, replicator), ProbeTable(drawn, replicator)]
        let ends = try tables.map { table in
            table.estimate = "about \(end.search.text(loads.value)); now what the fit is unsure of"
            return try BoundarySearch(options: options, table: table)
                .ownEnds(of: count, from: loads.value)
        }
        for table in tables { add(table.cost) }
        let pairs = zip(ends[0], ends[1]).compactMap { one, other in
            one.flatMap { one in other.map { (fit: one, draw: $0) } }
        }
        // Draws without an end are the most extreme ones, so the spread is then unknown.
        let isKnown = pairs.count == count && count > 1
        let found = ends[1].compactMap { $0 }.map { end.search.value(of: PortableMath.exp($0)) }
        let spread = ConfidenceInterval(
            meanOf: pairs.map { $0.draw - $0.fit }, ofOne: true)?.halfWidth
        guard isKnown, let spread else {
            return (end, CapacityAnswer.FittedSpread(runs: end.interval, ends: found, spread: nil))
        }
        func edge(_ load: Double?) -> Double {
            let own = PortableMath.log((load ?? loads.value) / loads.value)
            return PortableMath.exp((own * own + spread * spread).squareRoot())
        }
        let wide = ConfidenceInterval(
            loads.value, low: loads.value / edge(loads.low), high: loads.value * edge(loads.high))
        return (
            spread > 0 ? CapacityEnd(end.search, crossing: wide, end.threshold) : end,
            CapacityAnswer.FittedSpread(
                runs: end.interval, ends: found, spread: PortableMath.exp(spread) - 1)
        )
    }
}

/// The largest load that each single replication bears.
extension BoundarySearch {
    private static let roundsMax = 24
    /// How far from the start ends are sought, as a logarithm: a factor of sixteen.
    private static let farthest = 2.8
    /// The longest step to the next load, as a logarithm: twice as much.
    private static let longestStep = 0.7
    /// How close to an end of a bracket, as a share of it, false position may come.
    private static let shareMargin = 0.1

    /// The state of the search of one replication.
    private struct Place {
        var next: Double
        /// The largest load that holds and the smallest that does not, with their excess.
        var holds, fails: (load: Double, excess: Double?)?
        var step = 0.05
        var isDone = false
    }

    /// The logarithms of the ends, by replication; nil where one has no end.
    fileprivate func ownEnds(of count: Int, from load: Double) throws -> [Double?] {
        let start = rounded(load)
        var places = Array(repeating: Place(next: start), count: count)
        for round in 0..<Self.roundsMax {
            let open = places.indices.filter { !places[$0].isDone }
            guard !open.isEmpty else { break }
            try table.run(open.map { (value(of: places[$0].next), $0..<$0 + 1) })
            for number in open { try move(&places[number], number, start, round) }
        }
        return places.map(ownEnd)
    }

    private func move(
        _ place: inout Place, _ number: Int, _ start: Double, _ round: Int
    ) throws {
        let runs = probe(place.next).chosen([number])
        let here = (load: place.next, excess: runs.excess)
        if runs.holds { place.holds = here } else { place.fails = here }
        let next: Double
        if let low = place.holds, let high = place.fails {
            let width = PortableMath.log(high.load / low.load)
            place.isDone = width.magnitude <= options.precision
            next =
                low.load
                * PortableMath.exp(
                    width
                        * Self.falsePosition(
                            low.excess, high.excess, turn: round, margin: Self.shareMargin))
        } else {
            let isUp = place.holds != nil
            next = here.load * PortableMath.exp(isUp ? place.step : -place.step)
            place.step = min(Self.longestStep, place.step * 2)
        }
        let rounded = self.rounded(next)
        let isNew = rounded != place.holds?.load && rounded != place.fails?.load && rounded > 0
        let isNear = PortableMath.log(max(next, start * 1e-9) / start).magnitude < Self.farthest
        place.isDone =
            place.isDone || !isNew || !isNear || !isPossible(rounded)
        place.next = rounded
    }

    private func ownEnd(_ place: Place) -> Double? {
        guard let low = place.holds, let high = place.fails else { return nil }
        let width = PortableMath.log(high.load / low.load)
        return PortableMath.log(low.load) + width
            * Self.falsePosition(low.excess, high.excess, turn: 0, margin: Self.shareMargin)
    }
}
