import SquallFormat
import SquallKernel
import SquallLab
import SquallReport

/// Finds the load beyond which a threshold fails.
///
/// Loads are first bracketed and narrowed with one replication each, which ends as soon as a
/// threshold can no longer be met. A pilot of a few replications then puts the centre where the
/// curve crosses the limit, and replications are added only there, until the interval is narrow
/// enough (``CapacityCurve``). Every load uses the same seeds.
///
/// A load is a value of the setting that is harder to bear the larger it is: where more of the
/// setting is better, it is the value's reciprocal, since half as many workers are twice the load
/// for each.
struct BoundarySearch {
    let options: CapacityOptions
    let table: ProbeTable

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

    /// Searches, starting at a value: upwards as long as loads hold, or downwards until one does.
    ///
    /// - Throws: what a run throws; `StopRequested` or ``ReplicationsMissing`` if it was stopped.
    func end(from value: Double) throws -> CapacityEnd {
        var last = load(of: variation.rounded(value))
        let start = last
        let isUp = try isHolding(start)
        for _ in 0..<Self.expansionsMax {
            let next = isUp ? larger(than: last, from: start) : smaller(than: last, from: start)
            guard isUp ? next > last && next.isFinite : next < last && next > 0 else { break }
            if isUp, let reason = cost(of: next, after: last) {
                table.notTried = reason
                break
            }
            let isOver: Bool
            do { isOver = try isHolding(next) != isUp } catch let problem where isRefusal(problem) {
                if isUp { table.notTried = "\(problem)" }
                break
            }
            if isOver { return try end(between: min(last, next), and: max(last, next)) }
            last = next
        }
        return CapacityEnd(self, isUp ? .always : .never, at: last)
    }

    /// The answer in a bracket; its lower end holds.
    func end(between low: Double, and high: Double) throws -> CapacityEnd {
        let (low, high) = try narrow(low, high)
        if isCounted(high, options.precision) { return try neighbours(low, high) }
        guard !isOnlyBroken(high), let end = try crossing(low, high) else {
            return try step(low, high)
        }
        guard let broken = firstBroken(upTo: end.loads.value) else { return end }
        let holding = loads.filter { $0 < broken && !isBroken($0) }.max()
        return try step(holding ?? rounded(broken / 2), broken)
    }

    var variation: Variation { table.variation }

    /// The loads that were run, in rising order.
    var loads: [Double] { table.sorted.map { load(of: $0.value) }.ordered(by: <) }

    func probe(_ load: Double) -> Probe { table[value(of: load)] }

    @discardableResult
    func run(_ load: Double, _ numbers: Range<Int>, stopsWhenLost: Bool = false) throws -> Probe {
        try table.run(value(of: load), numbers, stopsWhenLost: stopsWhenLost)
    }

    /// False for a load that the profile's settings do not allow.
    func isPossible(_ load: Double) -> Bool { table.isPossible(value(of: load)) }

    /// The result of the first replication alone at a load.
    private func isHolding(_ load: Double) throws -> Bool {
        try run(load, 0..<1, stopsWhenLost: true).chosen([0]).holds
    }

    func excess(_ load: Double) -> Double? { probe(load).chosen([0]).excess }

    private func isOnlyBroken(_ load: Double) -> Bool {
        let first = probe(load).chosen([0])
        return !first.isEmpty && (first.excess ?? -1) <= 0 && first.isBroken
    }

    private func isBroken(_ load: Double) -> Bool { probe(load).all.isBroken }

    private func firstBroken(upTo load: Double) -> Double? {
        loads.first { $0 <= load && isBroken($0) }
    }

    /// True if the profile refused a value, as opposed to a run that failed.
    private func isRefusal(_ problem: any Error) -> Bool {
        problem is PlanningProblem || problem is InvalidProfile
    }

    private func larger(than load: Double, from start: Double) -> Double {
        guard !isInverted else { return rounded(load * 2) }
        return rounded(min(options.to ?? start * 1_000, load * growth(at: load)))
    }

    /// The load within the values that may be tried.
    func allowed(_ load: Double) -> Double {
        guard let most = options.to else { return load }
        return isInverted ? max(load, 1 / most) : min(load, most)
    }

    private func smaller(than load: Double, from start: Double) -> Double {
        let limit = isInverted ? options.to ?? value(of: start) * 1_000 : 0
        return rounded(max(isInverted ? 1 / limit : 0, load / 2))
    }

    /// The factor by which the load grows next: to about where the busiest resource is three
    /// quarters busy, by the utilisation law.
    private func growth(at value: Double) -> Double {
        let busy = probe(value).chosen([0]).first?.resources.map(\.busy).max() ?? 0
        guard variation.isLoad, busy > 0.001 else { return 2 }
        return min(Self.growths.upperBound, max(Self.growths.lowerBound, Self.busyAim / busy))
    }

    /// The reason for which a load is not tried unless it is asked for: one run of it would take
    /// too long; `nil` where it would not.
    private func cost(of load: Double, after last: Double) -> String? {
        guard variation.isLoad, options.to == nil,
            let requests = probe(last).chosen([0]).first?.requests
        else { return nil }
        let attempts = Double(requests) * load / last
        guard attempts > Self.attemptsMax else { return nil }
        return "one run with \(text(load)) \(variation.noun) would send about"
            + " \(Units.threeDigits(attempts / 1e6)) million requests. Add --to"
            + " \(variation.typed(load)) to run it."
    }

    /// Narrows a bracket by the first replication, by false position on the excess.
    private func narrow(_ low: Double, _ high: Double) throws -> (Double, Double) {
        var (low, high) = (low, high)
        for turn in 0..<Self.narrowingsMax where high > low * (1 + 2 * options.precision) {
            let share = Self.falsePosition(
                excess(low), excess(high), turn: turn, margin: Self.narrowingMargin)
            let ratio = PortableMath.log(high / max(low, high * 1e-6))
            let middle = rounded(high * PortableMath.exp(-ratio * (1 - share)))
            guard middle > low, middle < high else { break }
            if try isHolding(middle) { low = middle } else { high = middle }
        }
        return (low, high)
    }
}

extension BoundarySearch {
    var isInverted: Bool { options.direction == .moreIsBetter }

    func value(of load: Double) -> Double { isInverted ? variation.rounded(1 / load) : load }

    func load(of value: Double) -> Double { isInverted ? 1 / value : value }

    /// The nearest load that the setting can have.
    func rounded(_ load: Double) -> Double {
        isInverted ? self.load(of: value(of: load)) : variation.rounded(load)
    }

    /// The next load that a setting of whole numbers can have.
    func next(_ load: Double, isHarder: Bool) -> Double {
        let step = isHarder == isInverted ? -1.0 : 1
        return self.load(of: max(variation.least, value(of: load).rounded() + step))
    }

    /// True if the search's precision is finer than one whole unit of a counted setting.
    func isCounted(_ load: Double, _ precision: Double) -> Bool {
        variation.unit == .count && value(of: load) * precision < 1
    }

    func text(_ load: Double) -> String { variation.text(value(of: load)) }

    /// Converts an interval of loads to one of values; whole numbers are rounded to the safe side.
    func interval(_ loads: ConfidenceInterval) -> ConfidenceInterval {
        func whole(_ load: Double, isHarder: Bool) -> Double {
            let value = isInverted ? 1 / load : load
            guard variation.isWhole else { return isInverted ? variation.rounded(value) : value }
            return value.rounded(isHarder == isInverted ? .down : .up)
        }
        let best = whole(loads.value, isHarder: false)
        let (easy, hard) = (
            loads.low.map { whole($0, isHarder: false) },
            loads.high.map { whole($0, isHarder: true) }
        )
        return isInverted
            ? ConfidenceInterval(best, low: hard, high: easy)
            : ConfidenceInterval(best, low: easy, high: hard)
    }
}

extension [Int: Replication] {
    /// The replications with numbers below a count.
    func first(_ count: Int) -> [Int: Replication] { filter { $0.key < count } }
}

extension BoundarySearch {
    /// The next point of a search for a zero, as a share of the bracket from its low end, from 0 to
    /// 1: regula falsi, with a bisection every third time, so that a curve with a bend cannot hold
    /// one end still for long.
    ///
    /// At least `margin` from either end; the middle where a value is missing or the signs agree.
    static func falsePosition(
        _ low: Double?, _ high: Double?, turn: Int, margin: Double
    ) -> Double {
        guard let low, let high, low < 0, high > 0, turn % 3 != 2 else { return 0.5 }
        return min(1 - margin, max(margin, -low / (high - low)))
    }
}
