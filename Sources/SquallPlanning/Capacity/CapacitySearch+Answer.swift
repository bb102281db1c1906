import SquallFormat
import SquallKernel
import SquallLab
import SquallProfile
import SquallReport

extension CapacitySearch {
    /// Searches, looks around, and says what was found.
    ///
    /// - Parameters:
    ///   - replay: the command that does so.
    ///   - least: what the whole interval has to reach; nil where nothing has to.
    /// - Returns: the answer.
    /// - Throws: what a run throws, or that it was stopped.
    public func answer(replay: String, atLeast least: Double? = nil) throws -> CapacityAnswer {
        var outcome = options.grid.isEmpty ? try outcome() : try gridOutcome()
        let cost = cost
        if options.surveys, options.grid.isEmpty {
            try survey(outcome)
            if let earlier = try earlier(than: outcome) { outcome = earlier }
        }
        let contradictions = contradictions(of: outcome)
        return CapacityAnswer(
            profile: variation.question.name, question: variation.question.profile.question,
            varied: variation.name, noun: variation.noun, outcome: outcome.kind,
            capacity: outcome.capacity, binding: binding(outcome), resource: resource(outcome),
            today: variation.today, atLeast: least, regime: variation.question.profile.regime,
            points: probes.values.sorted { $0.value < $1.value }.map(CapacityPoint.init),
            asymptoticKnee: asymptoticKnee, scalability: scalability,
            contradictions: contradictions, notes: notes + remarks(at: outcome),
            precision: options.precision,
            replications: cost.replications, requests: cost.requests, seeds: seeds,
            replay: replay)
    }

    // MARK: Around the answer

    private static let surveyed = [0.25, 0.5, 0.75, 0.9, 1.1, 1.25, 1.5]

    /// Runs one replication at loads around the answer, for the charts and against surprises.
    private func survey(_ outcome: Outcome) throws {
        guard let centre = outcome.capacity?.value, centre > 0 else { return }
        belief = "\(variation.text(centre)); now the loads around it"
        let values = Self.surveyed.map { variation.rounded(centre * $0) }
            .filter { value in
                value > variation.least
                    && !probes.values.contains { probe in
                        probe.all.contains(where: \.isWhole)
                            && (probe.value / value - 1).magnitude < 0.05
                    }
            }
        let possible = values.filter { (try? variation.profile(at: $0)) != nil }
        try run(possible.map { ($0, 0..<1) })
    }

    /// An answer below the one that was found, where a smaller value does not hold after all.
    private func earlier(than outcome: Outcome) throws -> Outcome? {
        guard let capacity = outcome.capacity, let failing = try firstFailing(below: capacity)
        else { return nil }
        let holding = probes.values.filter { $0.value < failing && Probe.holds($0.all) }
            .map(\.value).max()
        notes.append(
            "The answer is not the only one: the thresholds do not hold at"
                + " \(variation.text(failing)), and hold again up to about"
                + " \(variation.text(capacity.value)) \(variation.noun). What is said is the"
                + " first limit from below.")
        guard let holding else { return .never(failing) }
        return try self.outcome(between: holding, and: failing)
    }

    /// The least value below the interval at which the thresholds do not hold, in three
    /// replications together.
    private func firstFailing(below capacity: ConfidenceInterval) throws -> Double? {
        let limit = (capacity.low ?? capacity.value) * (1 - options.precision)
        let suspects = probes.values.filter { $0.value < limit && !Probe.holds($0.all) }
            .map(\.value).sorted()
        for value in suspects where !Probe.holds(try run(value, 0..<3).all) {
            return value
        }
        return nil
    }

    /// Values on the wrong side of the answer.
    private func contradictions(of outcome: Outcome) -> [Double] {
        guard let capacity = outcome.capacity else { return [] }
        let (low, high) = (capacity.low ?? capacity.value, capacity.high ?? capacity.value)
        let margin = 1 + options.precision
        return probes.values.filter { probe in
            let holds = Probe.holds(probe.all)
            return holds ? probe.value > high * margin : probe.value < low / margin
        }.map(\.value).sorted()
    }

    // MARK: What is said of it

    private func binding(_ outcome: Outcome) -> String? {
        func name(_ index: Int) -> String? {
            probes.sorted { $0.key < $1.key }.lazy.compactMap { $0.value.replications[0] }.first
                .flatMap {
                    $0.evidence.indices.contains(index) ? $0.evidence[index].threshold : nil
                }
        }
        switch outcome {
        case .crossing(_, let threshold), .step(_, _, let threshold): return name(threshold)
        case .never(let value):
            let evidence = Probe.evidence(probes[value]?.all ?? [])
            return evidence.first { !$0.holds }?.threshold
        case .always: return nil
        }
    }

    /// What is most in use where the answer is.
    private func resource(_ outcome: Outcome) -> Resource? {
        let whole = runs(at: outcome)
        guard let first = whole.first else { return nil }
        let means = first.resources.map { resource in
            let busy = whole.compactMap { replication in
                replication.resources.first { $0.name == resource.name }?.busy
            }
            return Resource(name: resource.name, busy: busy.mean)
        }
        return means.max { $0.busy < $1.busy }
    }

    /// The runs that came to their end at the value nearest to the answer.
    private func runs(at outcome: Outcome) -> [Replication] {
        guard let capacity = outcome.capacity else { return [] }
        let nearest = probes.values.filter { $0.all.contains(where: \.isWhole) }
            .min {
                (($0.value - capacity.value).magnitude, $0.value)
                    < (($1.value - capacity.value).magnitude, $1.value)
            }
        return nearest?.all.filter(\.isWhole) ?? []
    }

    /// What else holds people up there than what the server has only so much of.
    private func remarks(at outcome: Outcome) -> [String] {
        let connections = variation.question.profile.backend.network.connectionsPerHost
        return AnswerRemarks(runs(at: outcome), connectionsPerHost: connections).sentences
    }

    private var wholeProbes: [Probe] {
        probes.values.filter { $0.replications[0]?.isWhole == true }
            .sorted { $0.value < $1.value }
    }

    /// N* of the operational asymptotes: what would be used up if use went on growing as it does
    /// at the lightest load (Denning and Buzen, *The operational analysis of queueing network
    /// models*, ACM Computing Surveys 10, 1978).
    private var asymptoticKnee: Double? {
        guard variation.isLoad, let lightest = wholeProbes.first,
            let busy = lightest.replications[0]?.resources.map(\.busy).max(), busy > 0.001
        else { return nil }
        return lightest.value / busy
    }

    private var scalability: UniversalScalability? {
        guard variation.name == "users", variation.question.profile.plannedSessionsPerSecond == nil
        else { return nil }
        return UniversalScalability(
            fitting: wholeProbes.compactMap { probe in
                CapacityPoint(probe).goodput.map { (probe.value, $0) }
            })
    }

    private var cost: (replications: Int64, requests: Int64) {
        let all = probes.values.flatMap(\.all)
        return (Int64(all.count), all.reduce(0) { $0 + $1.requests })
    }

    private var seeds: [UInt64] {
        let numbers = (probes.values.flatMap(\.replications.keys).max() ?? -1) + 1
        let seed = variation.question.profile.seed
        return (0..<numbers).map { ReplicationTask.seed(of: $0, from: seed) }
    }
}

extension CapacitySearch.Outcome {
    var capacity: ConfidenceInterval? {
        switch self {
        case .crossing(let interval, _): interval
        case .step(let holds, let fails, _):
            ConfidenceInterval(holds, low: holds, high: fails)
        case .always(let value): ConfidenceInterval(value, low: value, high: nil)
        case .never: nil
        }
    }

    var kind: CapacityAnswer.Outcome {
        switch self {
        case .crossing: .found
        case .step: .bracketed
        case .always: .always
        case .never: .never
        }
    }
}
