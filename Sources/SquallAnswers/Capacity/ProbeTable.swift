import SquallFormat

/// The runs of a search, by value.
final class ProbeTable {
    let variation: Variation
    private let replicator: Replicator
    private(set) var probes: [Double: Probe] = [:]
    /// The current estimate, shown in progress messages; empty for ``bounds``.
    var estimate = ""
    /// True where larger values are easier.
    var isInverted = false
    /// Remarks that go with the answer.
    var notes: [String] = []
    /// The reason why no larger load was tried, where it is not the end of the search.
    var notTried: String?

    init(_ variation: Variation, _ replicator: Replicator) {
        self.variation = variation
        self.replicator = replicator
    }

    /// The probe at a value; empty where nothing was run.
    subscript(value: Double) -> Probe { probes[value] ?? Probe(value: value) }

    /// The probes, by rising value.
    var sorted: [Probe] { probes.values.ordered { $0.value < $1.value } }

    /// The easiest value that did not hold so far and the hardest one before it that did.
    ///
    /// Each is judged by all its replications; where some have a pilot of several, only those
    /// count. `nil` before the first run.
    var bounds: String? {
        let tried = sorted.filter { !$0.all.isEmpty }
        let piloted = tried.filter { $0.all.count >= BoundarySearch.pilot }
        let isTold = Set(piloted.map(\.all.holds)).count == 2
        let judged = isTold ? piloted : tried
        let ordered = isInverted ? judged.reversed() : judged
        let held = ordered.prefix { $0.all.holds }.last
        let failed = ordered.first { !$0.all.holds }
        func said(_ probe: Probe, _ verb: String) -> String {
            "\(variation.text(probe.value)) \(verb)"
                + " (\(Units.counted(probe.all.count, "replication")))"
        }
        let bounds = [held.map { said($0, "hold") }, failed.map { said($0, "do not") }]
            .compactMap(\.self)
        return bounds.isEmpty ? nil : "of \(variation.noun): \(bounds.joined(separator: ", "))"
    }

    /// The number of replications, and of the attempts in them.
    var cost: (replications: Int64, requests: Int64) {
        let all = probes.values.flatMap(\.all)
        return (Int64(all.count), all.reduce(0) { $0 + $1.requests })
    }

    /// Runs replications at a value, or reuses those already run.
    @discardableResult
    func run(_ value: Double, _ numbers: Range<Int>, stopsWhenLost: Bool = false) throws -> Probe {
        try run([(value, numbers)], stopsWhenLost: stopsWhenLost)
        return self[value]
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
            try replicator.task(
                variation.profile(at: value, ofReplication: number), number: number,
                stopsWhenLost: stopsWhenLost)
        }
        let trying = Set(missing.map(\.value)).ordered(by: <).map(variation.text)
        let found = try replicator.replications(
            of: tasks, believing: estimate.isEmpty ? bounds ?? "" : estimate,
            trying: trying.joined(separator: ", "))
        for (place, replication) in zip(missing, found) {
            probes[place.value, default: Probe(value: place.value)]
                .replications[place.number] = replication
        }
    }

    /// False for a value that the profile's settings do not allow.
    func isPossible(_ value: Double) -> Bool { (try? variation.profile(at: value)) != nil }
}
