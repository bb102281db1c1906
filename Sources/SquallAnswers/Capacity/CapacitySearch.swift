public import SquallFormat
import SquallLab

/// Finds the values of a setting that meet every threshold.
///
/// It seeks the largest value up to which every threshold holds over all replications together; of
/// a setting of which more is better, the least value. A percentile is judged by the share of
/// samples beyond the limit, a mean by the sum over the count, so no ratios are averaged.
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
    /// The search with a longer warm-up that goes on instead of this one; `nil` until there is one.
    var successor: CapacitySearch?

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

    /// The cost so far, of the values run and of what was added.
    var cost: (replications: Int64, requests: Int64) {
        let own = table.cost
        return (spent.replications + own.replications, spent.requests + own.requests)
    }

    /// What is known where the search is stopped; `nil` before the first run.
    public var boundsSoFar: String? {
        latest.table.bounds.map { "Partial, stopped before there was an interval. So far \($0)." }
    }

    /// What is known while it runs: the bounds, and every value that was run.
    public var documentSoFar: AnswerDocument { latest.partial.documentSoFar(latest.table.bounds) }

    private var latest: CapacitySearch { successor?.latest ?? self }

    /// An answer about what was run so far, without an end.
    private var partial: CapacityAnswer {
        CapacityAnswer(
            profile: variation.experiment.name, experiment: variation.experiment.profile.question,
            varied: variation.name, noun: variation.noun, unit: variation.unit,
            direction: options.direction, outcome: .always, today: variation.today,
            measurementWindow: variation.experiment.profile.measurementWindow,
            points: table.sorted.map(CapacityPoint.init), contradictions: [], notes: [],
            precision: options.precision, replications: cost.replications,
            requests: cost.requests, seeds: [], replay: "")
    }

    /// Searches for the end that was asked for.
    ///
    /// - Throws: what a run throws; `StopRequested` or ``ReplicationsMissing`` if it was stopped.
    func end() throws -> CapacityEnd {
        guard options.grid.isEmpty else { return try gridEnd() }
        let search = search
        (table.isInverted, table.estimate) = (search.isInverted, "")
        let start = options.start ?? options.from ?? variation.today
        var end = try search.end(
            from: variation.rounded(options.to.map { min($0, start) } ?? start))
        end.shown = try search.shown(below: end)
        return end
    }

    var search: BoundarySearch { BoundarySearch(options: options, table: table) }
}
