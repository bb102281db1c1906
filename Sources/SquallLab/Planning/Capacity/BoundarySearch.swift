import SquallFormat
import SquallKernel
import SquallReport

/// Finds the load beyond which a threshold fails.
///
/// Loads are first bracketed and narrowed with one replication each, which ends as soon as a
/// threshold can no longer be met. A pilot of a few replications then puts the centre where the
/// curve crosses the limit, and replications are added only there, until the interval is narrow
/// enough (``CapacityCurve``). Every load uses the same seeds. Loads are those of a
/// ``CapacityScale``: the larger, the harder.
final class BoundarySearch {
    let scale: CapacityScale
    let options: CapacityOptions
    let table: ProbeTable
    /// Remarks that go with the answer.
    var notes: [String] = []

    static let pilot = 4
    private static let expansionsMax = 60
    private static let narrowingsMax = 12
    /// How close to an end of a bracket, as a share of it, false position may come.
    private static let narrowingMargin = 0.15
    /// The utilisation of the busiest resource that the next load of a bracket is to reach.
    private static let busyAim = 0.75
    /// The least and the most by which a load grows while a bracket is looked for.
    private static let growths = 1.25...4.0
    /// The most attempts of one run that a search begins without being asked for them: about a
    /// minute of a processor.
    private static let attemptsMax = 1_000_000.0
    static let recentringsMax = 6
    /// How far from the centre the curve is sampled at most, as a logarithm.
    static let widthMax = 0.4
    /// The largest error allowed for the slope between both sides, as a share of the slope.
    static let riseError = 0.5

    init(_ scale: CapacityScale, _ options: CapacityOptions, _ table: ProbeTable) {
        self.scale = scale
        self.options = options
        self.table = table
    }

    /// Searches, starting at a value: upwards as long as loads hold, or downwards until one does.
    ///
    /// - Throws: what a run throws; `StopRequested` or ``ReplicationsMissing`` if it was stopped.
    func end(from value: Double) throws -> CapacityEnd {
        var last = scale.load(of: scale.variation.rounded(value))
        let start = last
        let isUp = try isHolding(start)
        for _ in 0..<Self.expansionsMax {
            let next = isUp ? larger(than: last, from: start) : smaller(than: last, from: start)
            guard isUp ? next > last && next.isFinite : next < last && next > 0 else { break }
            if isUp, let reason = cost(of: next, after: last) {
                notes.append(.notTried + reason)
                break
            }
            say(isUp ? last : nil, isUp ? nil : last)
            let isOver: Bool
            do { isOver = try isHolding(next) != isUp } catch let problem where isRefusal(problem) {
                if isUp {
                    notes.append(.notTried + "\(problem)")
                }
                break
            }
            if isOver { return try end(between: min(last, next), and: max(last, next)) }
            last = next
        }
        return CapacityEnd(scale, isUp ? .always : .never, at: last)
    }

    /// The answer in a bracket; its lower end holds.
    func end(between low: Double, and high: Double) throws -> CapacityEnd {
        let (low, high) = try narrow(low, high)
        if scale.isCounted(high, options.precision) { return try neighbours(low, high) }
        guard !isOnlyBroken(high), let end = try crossing(low, high) else {
            return try step(low, high)
        }
        guard let broken = firstBroken(upTo: end.loads.value) else { return end }
        let holding = loads.filter { $0 < broken && !isBroken($0) }.max()
        return try step(holding ?? scale.rounded(broken / 2), broken)
    }

    // MARK: Probes

    /// The loads that were run, in rising order.
    var loads: [Double] { table.sorted.map { scale.load(of: $0.value) }.ordered(by: <) }

    func probe(_ load: Double) -> Probe { table[scale.value(of: load)] }

    @discardableResult
    func run(_ load: Double, _ numbers: Range<Int>, stopsWhenLost: Bool = false) throws -> Probe {
        try table.run(scale.value(of: load), numbers, stopsWhenLost: stopsWhenLost)
    }

    /// What the first replication alone says at a load.
    private func isHolding(_ load: Double) throws -> Bool {
        try table.holds(scale.value(of: load), 1)
    }

    func excess(_ load: Double) -> Double? { Probe.excess(probe(load).chosen([0])) }

    private func isOnlyBroken(_ load: Double) -> Bool {
        let first = probe(load).chosen([0])
        return !first.isEmpty && (Probe.excess(first) ?? -1) <= 0 && Probe.isBroken(first)
    }

    private func isBroken(_ load: Double) -> Bool { Probe.isBroken(probe(load).all) }

    private func firstBroken(upTo load: Double) -> Double? {
        loads.first { $0 <= load && isBroken($0) }
    }

    // MARK: Bracketing

    /// Whether the profile refused a value, as opposed to a run that failed.
    private func isRefusal(_ problem: any Error) -> Bool {
        problem is PlanningProblem || problem is InvalidProfile
    }

    private func larger(than load: Double, from start: Double) -> Double {
        guard !scale.isInverted else { return scale.rounded(load * 2) }
        return scale.rounded(min(options.to ?? start * 1_000, load * growth(at: load)))
    }

    /// The load within the values that may be tried.
    func allowed(_ load: Double) -> Double {
        guard let most = options.to else { return load }
        return scale.isInverted ? max(load, 1 / most) : min(load, most)
    }

    private func smaller(than load: Double, from start: Double) -> Double {
        let limit = scale.isInverted ? options.to ?? scale.value(of: start) * 1_000 : 0
        return scale.rounded(max(scale.isInverted ? 1 / limit : 0, load / 2))
    }

    /// By what factor the load grows next: to about where the busiest resource is three quarters
    /// busy, by the utilisation law.
    private func growth(at value: Double) -> Double {
        let busy = probe(value).chosen([0]).first?.resources.map(\.busy).max() ?? 0
        guard scale.variation.isLoad, busy > 0.001 else { return 2 }
        return min(Self.growths.upperBound, max(Self.growths.lowerBound, Self.busyAim / busy))
    }

    /// Why a load is not tried unless it is asked for: one run of it would take too long; nil where
    /// it would not.
    private func cost(of load: Double, after last: Double) -> String? {
        guard scale.variation.isLoad, options.to == nil,
            let requests = probe(last).chosen([0]).first?.requests
        else { return nil }
        let attempts = Double(requests) * load / last
        guard attempts > Self.attemptsMax else { return nil }
        return "one run with \(scale.text(load)) \(scale.variation.noun) would send about"
            + " \(Units.threeDigits(attempts / 1e6)) million requests. Add --to"
            + " \(scale.variation.typed(load)) to run it."
    }

    // MARK: Narrowing

    /// Narrows a bracket by the first replication, by false position on the excess.
    private func narrow(_ low: Double, _ high: Double) throws -> (Double, Double) {
        var (low, high) = (low, high)
        for turn in 0..<Self.narrowingsMax where high > low * (1 + 2 * options.precision) {
            let share = FalsePosition.share(
                excess(low), excess(high), turn: turn, margin: Self.narrowingMargin)
            let ratio = PortableMath.log(high / max(low, high * 1e-6))
            let middle = scale.rounded(high * PortableMath.exp(-ratio * (1 - share)))
            guard middle > low, middle < high else { break }
            say(low, high)
            if try isHolding(middle) { low = middle } else { high = middle }
        }
        return (low, high)
    }

    private func say(_ low: Double?, _ high: Double?) {
        let noun = scale.variation.noun
        switch (low.map(scale.text), high.map(scale.text)) {
        case (let low?, let high?): table.estimate = "\(low) hold, \(high) do not (\(noun))"
        case (let low?, nil): table.estimate = "\(low) hold (\(noun))"
        case (nil, let high?): table.estimate = "\(high) do not hold (\(noun))"
        case (nil, nil): break
        }
    }
}

extension [Int: Replication] {
    /// The replications with numbers below a count.
    func first(_ count: Int) -> [Int: Replication] { filter { $0.key < count } }
}

/// The next point of a search for a zero between two points of opposite sign: regula falsi, with a
/// bisection every third time, so that a curve with a bend cannot hold one end still for long.
enum FalsePosition {
    private static let bisectionPeriod = 3

    /// How far from the low end to the high end the next point lies, from 0 to 1.
    ///
    /// At least `margin` from either end; the middle where a value is missing or the signs agree.
    static func share(_ low: Double?, _ high: Double?, turn: Int, margin: Double) -> Double {
        guard let low, let high, low < 0, high > 0, turn % bisectionPeriod != bisectionPeriod - 1
        else { return 0.5 }
        return min(1 - margin, max(margin, -low / (high - low)))
    }
}
