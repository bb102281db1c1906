import SquallLab
public import SquallReport

/// One of the two designs compared: its figures by seed.
public struct ComparisonSide: Sendable {
    /// Its name in results.
    let name: String
    let seeds: [UInt64]
    let figures: [FigureSeries]
    var requests: Int64 = 0
    /// The profile of a stored result; nil of one that was just run.
    private(set) var profile: String?
    /// The assumed settings on which its results rest, as far as they were stored with them.
    public var assumed: [AssumedRow] = []
    /// The run, where a real server was driven: no seed repeats it.
    var driven: RunSummary?

    init(_ name: String, seeds: [UInt64], figures: [FigureSeries]) {
        (self.name, self.seeds, self.figures) = (name, seeds, figures)
    }

    /// Makes a side from replications that were just run.
    init(_ name: String, _ replications: [Replication]) {
        self.init(
            name, seeds: replications.map(\.seed),
            figures: FigureSeries.all(of: replications.map(\.figures)))
        requests = replications.reduce(0) { $0 + $1.requests }
    }

    /// Makes a side from stored replications.
    public init(_ name: String, _ answer: ReplicationsAnswer) {
        self.init(name, seeds: answer.seeds, figures: answer.figures)
        assumed = answer.assumed ?? []
        profile = answer.profile
    }

    /// Makes a side from one stored run.
    public init(_ name: String, _ summary: RunSummary) {
        self.init(
            name, seeds: [summary.seed], figures: FigureSeries.all(of: [Figure.all(of: summary)]))
        assumed = summary.assumed
        profile = summary.profile
        if summary.generator != nil { driven = summary }
    }

    var count: Int { seeds.count }

    func places(of seeds: [UInt64]) -> [Int] {
        driven == nil ? seeds.compactMap { self.seeds.firstIndex(of: $0) } : seeds.map { _ in 0 }
    }
}

extension ComparisonSide {
    /// A side that may still have to be run.
    public enum Source {
        /// A stored result.
        case kept(ComparisonSide)
        /// A run that is still to be made, with the side's name.
        case asked(String, Experiment)

        /// The stored result of a run in front of a real server.
        public var driven: ComparisonSide? {
            if case .kept(let side) = self, side.driven != nil { side } else { nil }
        }
    }

    /// Both sides with the same seeds; results that are not stored are computed now, all together,
    /// so that all threads are busy.
    ///
    /// A stored result says with which seeds, and limits how many there are.
    ///
    /// - Throws: what stops a run.
    public static func both(
        _ a: Source, _ b: Source, seeds count: Int, _ replicator: Replicator
    ) throws -> (ComparisonSide, ComparisonSide) {
        let known = [a, b].compactMap { side -> ComparisonSide? in
            if case .kept(let kept) = side, kept.driven == nil { kept } else { nil }
        }
        let (count, seed) = (known.map(\.count).min() ?? count, known.first?.seeds.first)
        let tasks = try [a, b].flatMap { side -> [ReplicationTask] in
            guard case .asked(_, let experiment) = side else { return [] }
            let seeded = try experiment.changed { profile in
                var profile = profile
                profile.seed = seed ?? profile.seed
                return profile
            }
            return try replicator.tasks(count, of: seeded.profile)
        }
        var found = try replicator.replications(of: tasks)[...]
        func side(_ side: Source) -> ComparisonSide {
            switch side {
            case .kept(let side): return side
            case .asked(let name, _):
                defer { found = found.dropFirst(count) }
                return ComparisonSide(name, Array(found.prefix(count)))
            }
        }
        let left = side(a)
        return (left, side(b))
    }
}
