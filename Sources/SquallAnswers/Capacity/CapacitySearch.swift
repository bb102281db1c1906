import SquallFormat
import SquallLab
import SquallReport

/// Finds the values of a setting that meet every threshold.
///
/// It seeks the largest value up to which every threshold holds over all replications together; of
/// a setting of which more is better, the least value. A percentile is judged by the share of
/// samples beyond the limit, a mean by the sum over the count, so no ratios are averaged. A
/// ``BoundarySearch`` finds one end; this type decides which ends there are.
public final class CapacitySearch {
    /// The varied setting, in the profile as it stands.
    let variation: Variation
    /// The variation with fitted settings drawn for each replication; `nil` where they are not
    /// drawn.
    let drawn: Variation?
    let options: CapacityOptions
    let table: ProbeTable
    let replicator: Replicator
    /// The warm-up that the search has added by itself so far; 0 for none.
    let ownWarmUp: Int64
    /// The cost of earlier searches with a shorter warm-up.
    private(set) var spent: (replications: Int64, requests: Int64)

    /// Creates a search with a replicator.
    public convenience init(
        _ variation: Variation, _ options: CapacityOptions, _ replicator: Replicator
    ) {
        self.init(variation, options, replicator, ownWarmUp: 0, spent: (0, 0))
    }

    init(
        _ variation: Variation, _ options: CapacityOptions, _ replicator: Replicator,
        ownWarmUp: Int64, spent: (replications: Int64, requests: Int64)
    ) {
        self.replicator = replicator
        self.ownWarmUp = ownWarmUp
        self.spent = spent
        drawn = variation.experiment.drawsFitted ? variation : nil
        self.variation = variation.drawingFitted(false)
        self.options = options
        table = ProbeTable(self.variation, replicator)
    }

    /// Adds the cost of runs outside the search.
    func add(_ cost: (replications: Int64, requests: Int64)) {
        spent = (spent.replications + cost.replications, spent.requests + cost.requests)
    }

    /// The end that was asked for, and the other one where there is one.
    struct Result {
        var end: CapacityEnd
        var other: CapacityEnd?

        /// The direction in which it becomes harder.
        var direction: CapacityDirection { other == nil ? end.search.direction : .neither }
    }

    /// The cost so far, of the values run and of what was added.
    var cost: (replications: Int64, requests: Int64) {
        let own = table.cost
        return (spent.replications + own.replications, spent.requests + own.requests)
    }

    /// What is known where the search is stopped; `nil` before the first run.
    public var boundsSoFar: String? {
        table.bounds.map { "Partial, stopped before there was an interval. So far \($0)." }
    }

    /// Searches, without the survey around the result.
    ///
    /// - Throws: what a run throws; `StopRequested` or ``ReplicationsMissing`` if it was stopped.
    func result() throws -> Result {
        guard options.grid.isEmpty else { return try gridResult() }
        let first = try direction()
        var end = try self.end(first)
        switch end.kind {
        case .never where try !isTold && mayHold(opposite(first)):
            end = try self.end(opposite(first))
        case .always where !isTold && !variation.isLoad:
            let other = try self.end(opposite(first))
            if other.interval != nil, other.kind != .always { end = other }
        default: break
        }
        return Result(end: end)
    }

    /// Surveys the surroundings of the result, where that was asked for.
    func lookAround(_ result: inout Result) throws {
        guard options.grid.isEmpty, options.surveys, let interval = result.end.interval else {
            return
        }
        try survey(
            interval.value, result.end.search.direction, beyond: result.end.kind != .always)
        try check(&result)
    }

    private var start: Double {
        let start = options.start ?? options.from ?? variation.today
        return variation.rounded(options.to.map { min($0, start) } ?? start)
    }

    private var isTold: Bool { options.direction != nil }

    private func opposite(_ direction: CapacityDirection) -> CapacityDirection {
        direction == .moreIsBetter ? .moreIsWorse : .moreIsBetter
    }

    func search(_ direction: CapacityDirection) -> BoundarySearch {
        BoundarySearch(direction: direction, options: options, table: table)
    }

    /// Searches in a direction: from today's value, or in some other way.
    private func end(
        _ direction: CapacityDirection, by find: ((BoundarySearch) throws -> CapacityEnd)? = nil
    ) throws -> CapacityEnd {
        let search = search(direction)
        (table.isInverted, table.estimate) = (search.isInverted, "")
        var end = try find?(search) ?? search.end(from: start)
        end.shown = try search.shown(below: end)
        return end
    }

    // MARK: Direction

    /// The factor below and above today's value at which the direction is probed.
    private static let lookShare = 4.0

    /// The direction in which the thresholds become harder to keep: the given one; upwards for
    /// users and rates; otherwise the one that a replication on each side shows.
    private func direction() throws -> CapacityDirection {
        if let told = options.direction { return told }
        guard !variation.isLoad else { return .moreIsWorse }
        table.estimate = "which way \(variation.noun) matters"
        let found = CapacityDirection(
            smaller: try look(start / Self.lookShare), today: try look(start) ?? (false, nil),
            larger: try look(start * Self.lookShare))
        if let found, found != .neither { return found }
        // Where nothing tells, a start that holds is tried with less first, which is cheap.
        return try found == nil && look(start)?.holds == true ? .moreIsBetter : .moreIsWorse
    }

    private func look(_ value: Double) throws -> CapacityDirection.Look? {
        let value = variation.rounded(min(value, options.to ?? .infinity))
        guard value > 0, table.isPossible(value) else { return nil }
        let first = try table.run(value, 0..<1, stopsWhenLost: true).chosen([0])
        return (first.holds, first.excess)
    }

    /// True if a failing start may hold in the other direction: for a load only where that looks
    /// better, since larger loads are expensive to run.
    private func mayHold(_ direction: CapacityDirection) throws -> Bool {
        guard variation.isLoad else { return true }
        guard let here = try look(start), let there = try look(start * Self.lookShare) else {
            return false
        }
        if there.holds { return true }
        guard let near = here.excess, let far = there.excess else { return false }
        return far < near
    }

    // MARK: Around the answer

    private static let surveyed = [0.25, 0.5, 0.75, 0.9, 1.1, 1.25, 1.5]

    /// Runs one replication at values around the answer and at easier ones than today's, for the
    /// charts and to detect surprises.
    private func survey(
        _ centre: Double, _ direction: CapacityDirection, beyond: Bool
    ) throws {
        guard centre > 0 else { return }
        table.estimate = "about \(variation.text(centre)); now the values around it"
        let easier = (direction == .moreIsBetter ? [2, 4] : [0.25, 0.5]).map { $0 * start }
        let least = options.from.map { min($0, centre) } ?? 0
        let isBetter = direction == .moreIsBetter
        let values = (Self.surveyed.map { centre * $0 } + easier).map(variation.rounded)
            .filter { value in
                guard value > 0, value >= least, value <= options.to ?? .infinity else {
                    return false
                }
                guard beyond || (isBetter ? value >= centre : value <= centre) else { return false }
                return !table.sorted.contains { probe in
                    probe.all.contains(where: \.isWhole)
                        && (probe.value / value - 1).magnitude < 0.05
                }
            }
        var possible: [Double] = []
        for value in values where !possible.contains(value) && table.isPossible(value) {
            possible.append(value)
        }
        try table.run(possible.map { ($0, 0..<1) })
    }

    /// Adds the other end where values on the good side of the first one fail after all.
    ///
    /// The range kept is the one around today's value, if that holds, or else the one next to the
    /// end that was found.
    private func check(_ result: inout Result) throws {
        guard let interval = result.end.interval, let best = result.end.value else { return }
        let search = result.end.search
        let edge = search.load(of: search.isInverted ? interval.high ?? best : interval.low ?? best)
        let limit = edge * (1 - options.precision)
        let easier = table.sorted.map { search.load(of: $0.value) }.filter { $0 < limit }
            .ordered(by: <)
        let failing = try easier.filter { try !holds($0, in: search) }
        guard !failing.isEmpty else { return }
        let today = search.load(of: start)
        let anchor = try today < limit && holds(today, in: search) ? today : edge
        let holding = easier.filter { !failing.contains($0) }
        if let first = failing.first(where: { $0 > anchor }) {
            table.notes.append(
                "The thresholds do not hold at \(search.text(first)), and hold again up to about"
                    + " \(variation.text(best)) \(variation.noun). The result is the first limit"
                    + " above today's value.")
            let last = holding.last { $0 < first } ?? anchor
            result.end = try end(search.direction) { try $0.end(between: last, and: first) }
        }
        guard let last = failing.last(where: { $0 < anchor }) else { return }
        let first = holding.first { $0 > last } ?? anchor
        let other = try end(opposite(search.direction)) { opposite in
            try opposite.end(
                between: opposite.load(of: search.value(of: first)),
                and: opposite.load(of: search.value(of: last)))
        }
        if other.interval != nil { result.other = other }
    }

    /// True if a load holds by the known runs; where those say no, three replications decide.
    private func holds(_ load: Double, in search: BoundarySearch) throws -> Bool {
        let value = search.value(of: load)
        if table[value].all.holds { return true }
        return try table.run(value, 0..<3).all.holds
    }
}
