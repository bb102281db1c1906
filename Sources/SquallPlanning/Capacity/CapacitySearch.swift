import SquallKernel
import SquallReport

/// Finds the largest value at which every threshold holds.
///
/// What is sought: the largest value up to which, over all replications together, every threshold
/// holds. For a percentile that is the share of samples beyond the limit, for a mean the sum over
/// the number, so nothing is averaged that was divided before.
///
/// Loads are first bracketed and narrowed down with one replication each, which ends as soon as a
/// threshold cannot be met any more; then a pilot of a few replications puts the centre where the
/// curve crosses the limit, and only there replications are added until the interval is narrow
/// enough (``CapacityCurve``). All use the same seeds at every value.
public final class CapacitySearch {
    let variation: Variation
    let options: CapacityOptions
    let replicator: Replicator
    /// Everything that was run, by value.
    private(set) var probes: [Double: Probe] = [:]
    /// What is to be said beside the answer.
    var notes: [String] = []
    /// What is believed so far, for whoever waits.
    var belief = ""

    static let pilot = 4
    private static let expansionsMax = 60
    private static let narrowingsMax = 12
    private static let recentringsMax = 6
    /// How far beside the centre the curve is looked at, at most, as a logarithm.
    private static let widthMax = 0.4
    /// How exactly its rise between both sides has to be known, as a share of it.
    private static let riseError = 0.5

    /// A search with a replicator.
    public init(_ variation: Variation, _ options: CapacityOptions, _ replicator: Replicator) {
        self.variation = variation
        self.options = options
        self.replicator = replicator
    }

    /// How a search ended.
    enum Outcome {
        /// Between the ends of an interval, by the curve of a threshold.
        case crossing(ConfidenceInterval, threshold: Int)
        /// A threshold without a middle holds at the first value and not at the second.
        case step(holds: Double, fails: Double, threshold: Int)
        /// Not even the least value holds.
        case never(Double)
        /// Even the largest value holds.
        case always(Double)
    }

    /// Searches.
    ///
    /// - Throws: what a run throws, or that it was stopped.
    func outcome() throws -> Outcome {
        switch try bracket() {
        case .never(let value): return .never(value)
        case .always(let value): return .always(value)
        case .between(let low, let high): return try outcome(between: low, and: high)
        }
    }

    /// The answer in a bracket whose lower end holds.
    func outcome(between low: Double, and high: Double) throws -> Outcome {
        let (low, high) = try narrow(low, high)
        if isOnlyBroken(high) || !isSpacious(low) { return try step(low, high) }
        guard let crossing = try crossing(low, high) else { return try step(low, high) }
        guard let broken = firstBroken(upTo: crossing.interval.value) else {
            return .crossing(crossing.interval, threshold: crossing.threshold)
        }
        let holding = probes.keys.filter { $0 < broken && !isBroken($0) }.max()
        return try step(holding ?? variation.least, broken)
    }

    // MARK: Probes

    /// Runs replications at a value, or recalls them.
    @discardableResult
    func run(_ value: Double, _ numbers: Range<Int>, stopsWhenLost: Bool = false) throws -> Probe {
        try run([(value, numbers)], stopsWhenLost: stopsWhenLost)
        return probes[value] ?? Probe(value: value)
    }

    /// Runs replications at several values at once.
    func run(_ asked: [(value: Double, numbers: Range<Int>)], stopsWhenLost: Bool = false) throws {
        let missing = asked.flatMap { value, numbers in
            numbers.filter { number in
                guard let known = probes[value]?.replications[number] else { return true }
                return !known.isWhole && !stopsWhenLost
            }.map { (value: value, number: $0) }
        }
        guard !missing.isEmpty else { return }
        let tasks = try missing.map { value, number in
            replicator.task(
                try variation.profile(at: value), number: number, stopsWhenLost: stopsWhenLost)
        }
        let found = try replicator.replications(of: tasks, believing: belief)
        for (place, replication) in zip(missing, found) {
            probes[place.value, default: Probe(value: place.value)]
                .replications[place.number] = replication
        }
    }

    /// What the first replication alone says at a value.
    func isHolding(_ value: Double) throws -> Bool {
        Probe.holds(try run(value, 0..<1, stopsWhenLost: true).chosen([0]))
    }

    private func excess(_ value: Double) -> Double? {
        probes[value].flatMap { Probe.excess($0.chosen([0])) }
    }

    private func isOnlyBroken(_ value: Double) -> Bool {
        guard let probe = probes[value] else { return false }
        let first = probe.chosen([0])
        return (Probe.excess(first) ?? -1) <= 0 && Probe.isBroken(first)
    }

    func isBroken(_ value: Double) -> Bool { probes[value].map { Probe.isBroken($0.all) } ?? false }

    private func firstBroken(upTo value: Double) -> Double? {
        probes.keys.filter { $0 <= value && isBroken($0) }.min()
    }

    /// Whether there is room for values beside it.
    private func isSpacious(_ value: Double) -> Bool {
        !variation.isWhole || value - variation.least >= 10
    }

    // MARK: Bracketing

    private enum Bracket {
        case never(Double)
        case always(Double)
        case between(Double, Double)
    }

    private func bracket() throws -> Bracket {
        let start = variation.rounded(options.from ?? variation.today)
        let limit = options.to ?? start * 1_000
        return try isHolding(start) ? rise(from: start, to: limit) : fall(from: start)
    }

    private func rise(from start: Double, to limit: Double) throws -> Bracket {
        var low = start
        for _ in 0..<Self.expansionsMax {
            let next = variation.rounded(min(limit, low * growth(at: low)))
            guard next > low else { return .always(low) }
            say(low, nil)
            do {
                guard try isHolding(next) else { return .between(low, next) }
            } catch let problem as PlanningProblem {
                notes.append("No more than \(variation.text(low)) was tried: \(problem)")
                return .always(low)
            }
            low = next
        }
        return .always(low)
    }

    private func fall(from start: Double) throws -> Bracket {
        var high = start
        for _ in 0..<Self.expansionsMax {
            let next = variation.rounded(high / 2)
            guard next < high, next > 0 else { return .never(high) }
            say(nil, high)
            if try isHolding(next) { return .between(next, high) }
            high = next
        }
        return .never(high)
    }

    /// How many times as much is tried next: about where the busiest resource would be three
    /// quarters full, by the utilisation law.
    private func growth(at value: Double) -> Double {
        let busy = probes[value]?.chosen([0]).first?.resources.map(\.busy).max() ?? 0
        guard variation.isLoad, busy > 0.001 else { return 2 }
        return min(64, max(1.25, 0.75 / busy))
    }

    // MARK: Narrowing

    /// Narrows a bracket by the first replication, by false position on the excess.
    private func narrow(_ low: Double, _ high: Double) throws -> (Double, Double) {
        var (low, high) = (low, high)
        for turn in 0..<Self.narrowingsMax where high > low * (1 + 2 * options.precision) {
            let share: Double
            if let below = excess(low), let above = excess(high), above > 0, below < 0,
                turn % 3 != 2
            {
                share = min(0.85, max(0.15, -below / (above - below)))
            } else {
                share = 0.5
            }
            let ratio = PortableMath.log(high / max(low, high * 1e-6))
            let middle = variation.rounded(high * PortableMath.exp(-ratio * (1 - share)))
            guard middle > low, middle < high else { break }
            say(low, high)
            if try isHolding(middle) { low = middle } else { high = middle }
        }
        return (low, high)
    }

    // MARK: Crossing

    /// The interval in which the curve crosses a limit; nil where there is none.
    private func crossing(
        _ low: Double, _ high: Double
    ) throws -> (interval: ConfidenceInterval, threshold: Int)? {
        var centre = variation.rounded((low * high).squareRoot())
        var slope = firstSlope(low, high)
        var tried: [(interval: ConfidenceInterval, threshold: Int)] = []
        for _ in 0..<Self.recentringsMax {
            let pilot = try run(centre, 0..<Self.pilot)
            guard let excess = Probe.excess(pilot.all) else { return nil }
            let error = spread(of: pilot) / slope
            let shift = -excess / slope
            if shift.magnitude > max(options.precision, error) {
                let next = variation.rounded(centre * PortableMath.exp(min(0.7, max(-0.7, shift))))
                if next != centre, next >= variation.least, probes[next] == nil {
                    centre = next
                    continue
                }
            }
            let width = min(0.2, max(options.precision, 2 * error))
            guard let curve = try curve(around: centre, width),
                let root = curve.root(Array(0..<curve.count))
            else { break }
            let found = interval(of: curve, root)
            if root.shift.magnitude <= curve.width * 1.05 { return found }
            if let found { tried.append(found) }
            centre = variation.rounded(
                centre * PortableMath.exp(min(0.7, max(-0.7, root.shift))))
            slope = max(0.1, self.slope(of: curve))
        }
        return spanning(tried.suffix(3))
    }

    /// One interval over those that curves around several values led to, where none of them has
    /// its crossing near its own centre.
    private func spanning(
        _ tried: ArraySlice<(interval: ConfidenceInterval, threshold: Int)>
    ) -> (interval: ConfidenceInterval, threshold: Int)? {
        guard let last = tried.last else { return nil }
        notes.append(
            "The curve is uneven around the answer: the interval spans what several parts say")
        let lows = tried.compactMap(\.interval.low) + tried.map(\.interval.value)
        let highs = tried.compactMap(\.interval.high) + tried.map(\.interval.value)
        return (
            ConfidenceInterval(last.interval.value, low: lows.min() ?? 0, high: highs.max() ?? 0),
            last.threshold
        )
    }

    private func interval(
        of curve: CapacityCurve, _ root: CapacityCurve.Root
    ) -> (interval: ConfidenceInterval, threshold: Int)? {
        guard let shift = curve.interval, let low = shift.low, let high = shift.high else {
            return nil
        }
        func value(_ shift: Double) -> Double { curve.centre.value * PortableMath.exp(shift) }
        let (least, most) = (value(low), value(high))
        let best = value(shift.value)
        return (
            ConfidenceInterval(
                variation.isWhole ? best.rounded(.down) : best,
                low: variation.isWhole ? least.rounded(.down) : least,
                high: variation.isWhole ? most.rounded(.up) : most),
            root.threshold
        )
    }

    /// Replications beside the centre, so far from it that the curve's rise there is sure.
    private func sides(
        of centre: Double, _ width: Double
    ) throws -> (below: Double, above: Double)? {
        var width = width
        while true {
            let factor = PortableMath.exp(width)
            var below = variation.rounded(centre / factor)
            var above = variation.rounded(centre * factor)
            if below >= centre { below = centre - 1 }
            if above <= centre { above = centre + 1 }
            guard below >= max(variation.least, centre * 1e-3) else { return nil }
            try run([(below, 0..<Self.pilot), (above, 0..<Self.pilot)])
            if width >= Self.widthMax || rises(from: below, to: above) { return (below, above) }
            width = min(Self.widthMax, width * 1.6)
        }
    }

    /// Whether the replications at two values say for sure how much the excess rises.
    private func rises(from below: Double, to above: Double) -> Bool {
        guard let low = probes[below], let high = probes[above] else { return false }
        let rise = ConfidenceInterval(jackknifing: Self.pilot) { chosen in
            guard let start = Probe.excess(low.chosen(chosen)),
                let end = Probe.excess(high.chosen(chosen))
            else { return nil }
            return end - start
        }
        guard let rise, rise.value > 0 else { return false }
        return (rise.relativeHalfWidth ?? .infinity) < Self.riseError
    }

    /// Replications beside the centre, and at it as many as the precision asks for.
    private func curve(around centre: Double, _ width: Double) throws -> CapacityCurve? {
        guard let (below, above) = try sides(of: centre, width) else { return nil }
        var count = min(CapacityOptions.replicationsMin, options.replicationsMax)
        while true {
            try run(centre, 0..<count)
            guard let low = probes[below], let middle = probes[centre], let high = probes[above]
            else { return nil }
            let curve = CapacityCurve(
                below: Probe(value: below, replications: low.replications.first(Self.pilot)),
                centre: Probe(value: centre, replications: middle.replications.first(count)),
                above: Probe(value: above, replications: high.replications.first(Self.pilot)))
            guard let width = curve.interval?.halfWidth else { return nil }
            belief = "\(variation.text(centre)) ± \(variation.text(centre * min(9, width)))"
            guard width > options.precision, count < options.replicationsMax else { return curve }
            count = min(options.replicationsMax, max(count + 2, count * 3 / 2))
        }
    }

    /// How fast the excess rises with the logarithm of the value, by the first replication.
    private func firstSlope(_ low: Double, _ high: Double) -> Double {
        guard let below = excess(low), let above = excess(high), above > below, low > 0 else {
            return 1
        }
        return max(0.1, (above - below) / PortableMath.log(high / low))
    }

    private func slope(of curve: CapacityCurve) -> Double {
        guard let low = Probe.excess(curve.below.all), let high = Probe.excess(curve.above.all)
        else { return 1 }
        return (high - low) / PortableMath.log(curve.above.value / curve.below.value)
    }

    /// The standard error of the excess of a pilot.
    private func spread(of probe: Probe) -> Double {
        let numbers = probe.replications.keys.sorted()
        let interval = ConfidenceInterval(jackknifing: numbers.count) { chosen in
            Probe.excess(probe.chosen(chosen.map { numbers[$0] }))
        }
        let quantile = StudentT.quantile(level: 0.95, freedom: max(1, numbers.count - 1))
        return (interval?.halfWidth ?? 0) / quantile
    }

    private func say(_ low: Double?, _ high: Double?) {
        let ends = (low.map(variation.text), high.map(variation.text))
        switch ends {
        case (let low?, let high?): belief = "between \(low) and \(high) \(variation.noun)"
        case (let low?, nil): belief = "at least \(low) \(variation.noun)"
        case (nil, let high?): belief = "below \(high) \(variation.noun)"
        case (nil, nil): break
        }
    }
}

extension [Int: Replication] {
    /// The replications with numbers below a count.
    fileprivate func first(_ count: Int) -> [Int: Replication] { filter { $0.key < count } }
}
