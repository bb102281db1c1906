import SquallFormat
public import SquallKernel

/// How soon each strategy finds what is wrong with a subject, over some seeds, and how small the
/// finding becomes.
public struct RaceMeasurement: Sendable {
    /// A strategy's seeds.
    public struct Row: Sendable {
        /// The strategy's name; `mix` for those of the plan together.
        public let strategy: String
        /// The first schedule that broke a promise, for each seed; `nil` where none did.
        public let first: [Int?]

        /// The median of the first schedules; `nil` when half of the seeds or more found nothing.
        ///
        /// For an even number of seeds it is the upper one of the middle two.
        public var median: Int? {
            let sorted = first.map { $0 ?? .max }.sorted()
            guard let middle = sorted.dropFirst(sorted.count / 2).first else { return nil }
            return middle == .max ? nil : middle
        }

        /// How many seeds found it.
        public var found: Int { first.count { $0 != nil } }
    }

    /// A row for each strategy that uses chance, and one for the plan's mix.
    public let rows: [Row]
    /// What the mix finds with the plan's own seed, made as small as possible.
    public let finding: Finding?
    /// How much real time the search and the shrinking took, in nanoseconds.
    public let nanoseconds: Int64

    /// Measures a subject; each seed plays at most as many schedules as the plan allows.
    ///
    /// - Throws: what keeps the subject from being played, or `StopRequested`.
    public init(
        _ subject: any RaceSubject, _ plan: ExplorationPlan, seeds: Int,
        elapsed: () -> Int64 = { RealClock.nanoseconds },
        isStopped: @escaping @Sendable () -> Bool = { false }
    ) throws {
        func explored(_ plan: ExplorationPlan) throws -> Exploration {
            let exploration = try Explorer(plan, isStopped: isStopped).explore(subject)
            guard !isStopped() else { throw StopRequested() }
            return exploration
        }
        var one = plan
        (one.findingsMax, one.deviations, one.nanoseconds) = (1, nil, nil)
        let start = elapsed()
        finding = try explored(one).findings.first
        nanoseconds = elapsed() - start
        one.shrinkingPlaysMax = 0
        var mixes = Strategy.all.filter { $0.name != Strategy.fifo.name }.map {
            (name: $0.name, shares: [ExplorationPlan.StrategyShare(name: $0.name, weight: 1)])
        }
        mixes.append(("mix", plan.strategies))
        rows = try mixes.map { mix in
            let first = try (0..<UInt64(seeds)).map { number in
                var plan = one
                (plan.seed, plan.strategies) = (one.seed &+ number, mix.shares)
                return try explored(plan).firstBroken
            }
            return Row(strategy: mix.name, first: first)
        }
    }

    /// The names of the columns of ``row(of:)``, and the line below them.
    public static var head: [String] {
        let strategies = Strategy.all.map(\.name).filter { $0 != Strategy.fifo.name } + ["mix"]
        let names = ["case", "breaks"] + strategies + ["reorderings", "seconds"]
        return [line(names), line(names.map { _ in "---" })]
    }

    /// A sentence that explains the columns, for below the table.
    public var legend: String {
        let seeds = rows.first?.first.count ?? 0
        return "Below each strategy: the first schedule that breaks the promise, the median of"
            + " \(Units.counted(seeds, "seed")); – (n of \(seeds)): only n seeds found one. mix:"
            + " the profile's strategies together. reorderings: before → after minimising. seconds:"
            + " to find and minimise with the mix."
    }

    /// The row of a table in Markdown: the case, the invariant, the median of first schedules for
    /// each strategy, departures before and after, and seconds until it was found and small.
    public func row(of name: String) -> String {
        let invariant = finding.map { finding in
            let id = finding.violation.invariant
            return [id, RaceInvariant.named(id)?.name].compactMap(\.self).joined(separator: " ")
        }
        let cells = rows.map { row in
            row.median.map(String.init) ?? "– (\(row.found) of \(row.first.count))"
        }
        let departures = finding.map { "\($0.choicesBefore) → \($0.departures)" }
        let seconds = Double(nanoseconds / 10_000_000) / 100
        return RaceMeasurement.line(
            [name, invariant ?? "nothing"] + cells + [departures ?? "–", "\(seconds)"])
    }

    private static func line(_ cells: [String]) -> String {
        "| " + cells.joined(separator: " | ") + " |"
    }
}
