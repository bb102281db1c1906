import SquallBackend
import SquallFormat
import SquallLab
import SquallReport

extension CapacitySearch {
    /// Searches and returns the answer.
    ///
    /// - Parameters:
    ///   - replay: the command that computes the answer again.
    ///   - least: the value that the whole interval must reach; nil for no such limit.
    ///   - most: the value that the whole interval may reach at most; nil for no such limit.
    /// - Returns: the answer.
    /// - Throws: what a run throws; `StopRequested` or ``ReplicationsMissing`` if it was stopped.
    public func answer(
        replay: String, atLeast least: Double? = nil, atMost most: Double? = nil
    ) throws -> CapacityAnswer {
        let own = try self.end()
        if let longer = try leavingMoreOut(at: own) {
            successor = longer
            return try longer.answer(replay: replay, atLeast: least, atMost: most)
        }
        let wide = try widened(own)
        let end = wide?.end ?? own
        let cost = cost
        return CapacityAnswer(
            profile: variation.experiment.name, experiment: variation.experiment.profile.question,
            varied: variation.name, noun: variation.noun,
            unit: variation.unit, direction: options.direction,
            outcome: end.kind, capacity: end.interval,
            shown: own.shown.map(own.search.value), neighbour: end.neighbour,
            binding: binding(end), resource: resource(end),
            resourceAt: near(end)?.value,
            today: variation.today, atLeast: least, atMost: most,
            measurementWindow: variation.experiment.profile.measurementWindow,
            transient: transient(at: end),
            ownWarmUpNanoseconds: ownWarmUp > 0 ? ownWarmUp : nil,
            points: table.sorted.map(CapacityPoint.init), asymptoticKnee: asymptoticKnee,
            scalability: scalability, contradictions: contradictions(of: own),
            notes: table.notes + remarks(at: end), notTried: table.notTried,
            fitted: wide?.spread, precision: options.precision, replications: cost.replications,
            requests: cost.requests,
            seeds: seeds, replay: replay)
    }

    /// Values that hold beyond an end, or fail before it.
    private func contradictions(of end: CapacityEnd) -> [Double] {
        table.sorted.filter { probe in
            end.isBeyond(probe.value, margin: options.precision) == probe.all.holds
        }.map(\.value)
    }

    /// The threshold that fails beyond an end.
    private func binding(_ end: CapacityEnd) -> String? {
        guard end.kind == .never else {
            let first = table.sorted.lazy.compactMap { $0.replications[0] }.first
            guard let index = end.threshold, let evidence = first?.evidence,
                evidence.indices.contains(index)
            else { return nil }
            return evidence[index].threshold
        }
        // Where few were put to the test, even one that every run kept is not sure to hold.
        let last = end.search.value(of: end.loads.value)
        let broken = table[last].all.evidence.filter { !$0.holds }
        return (broken.first { !$0.holdsEverywhere } ?? broken.first)?.first.threshold
    }

    /// The busiest resource at the answer.
    private func resource(_ end: CapacityEnd) -> Resource? {
        let whole = runs(at: end)
        guard let first = whole.first else { return nil }
        let means = first.resources.map { resource in
            let busy = whole.compactMap { replication in
                replication.resources.first { $0.name == resource.name }?.busy
            }
            return Resource(name: resource.name, busy: busy.mean)
        }
        return means.max { $0.busy < $1.busy }
    }

    /// The whole runs near the answer.
    func runs(at end: CapacityEnd) -> [Replication] { near(end)?.runs ?? [] }

    /// The value within 5 % of the answer that has the most whole runs, or the nearest value.
    private func near(_ end: CapacityEnd) -> (value: Double, runs: [Replication])? {
        guard let best = end.value else { return nil }
        let whole = table.sorted.map { (value: $0.value, runs: $0.all.filter(\.isWhole)) }
            .filter { !$0.1.isEmpty }
            .ordered { ($0.0 - best).magnitude < ($1.0 - best).magnitude }
        let near = whole.filter { ($0.0 - best).magnitude <= best / 20 }
        // Of values with equally many runs the nearest wins.
        let most = near.map(\.1.count).max()
        return near.first { $0.1.count == most } ?? whole.first
    }

    /// The share of their time that attempts wait for connections from which on it is remarked.
    private static let connectionWaitMin = 0.5

    /// Says that connections are used up, of which each user has its own, so that an average over
    /// users does not show it.
    static func connectionRemark(of runs: [Replication], connectionsPerHost: Int) -> String? {
        let share = runs.map(\.connectionWait).mean
        guard share >= connectionWaitMin else { return nil }
        let number = Units.counted(connectionsPerHost, "connection")
        return "Used up there are the \(number) that each user has to a host: attempts wait for"
            + " one for \(Units.percent(share)) of their time."
    }

    private func remarks(at end: CapacityEnd) -> [String] {
        let connections = variation.experiment.profile.backend.network.connectionsPerHost
        return Self.connectionRemark(of: runs(at: end), connectionsPerHost: connections)
            .map { [$0] } ?? []
    }

    private var wholeProbes: [Probe] {
        table.sorted.filter { $0.replications[0]?.isWhole == true }
    }

    /// N* of the operational asymptotes: the load that fills a resource if use keeps growing as at
    /// the lightest load (Denning and Buzen, *The operational analysis of queueing network models*,
    /// ACM Computing Surveys 10, 1978).
    private var asymptoticKnee: Double? {
        guard variation.isLoad, let lightest = wholeProbes.first,
            let busy = lightest.replications[0]?.resources.map(\.busy).max(), busy > 0.001
        else { return nil }
        return lightest.value / busy
    }

    private var scalability: UniversalScalability? {
        guard variation.name == "users",
            variation.experiment.profile.plannedSessionsPerSecond == nil
        else { return nil }
        return UniversalScalability(
            fitting: wholeProbes.compactMap { probe in
                CapacityPoint(probe).goodput.map { (probe.value, $0) }
            })
    }

    private var seeds: [UInt64] {
        let numbers = (table.sorted.flatMap(\.replications.keys).max() ?? -1) + 1
        let seed = variation.experiment.profile.seed
        return (0..<numbers).map { ReplicationTask.seed(of: $0, from: seed) }
    }
}

extension CapacityEnd {
    /// True for a value beyond the end, false before it; `nil` within its interval, and without an
    /// end.
    fileprivate func isBeyond(_ value: Double, margin: Double) -> Bool? {
        guard let interval, let best = self.value else { return nil }
        let load = search.load(of: value)
        let (one, other) = (
            search.load(of: interval.low ?? best), search.load(of: interval.high ?? best)
        )
        if load > max(one, other) * (1 + margin) { return true }
        return load < min(one, other) / (1 + margin) ? false : nil
    }
}
