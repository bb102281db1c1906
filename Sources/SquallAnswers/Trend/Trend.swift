import SquallLab
public import SquallReport

/// How the first figures of profiles change from release to release.
public struct Trend: Sendable {
    /// The stored results of a release.
    public struct Release: Sendable {
        /// The release's name.
        let name: String
        /// Its stored runs, one per profile.
        let runs: [RunSummary]
        /// Its stored searches for a capacity, one per profile.
        let capacities: [CapacityAnswer]
        /// Its stored replications, one per profile; they count before a single run of it.
        let replications: [ReplicationsAnswer]

        /// A release.
        public init(
            _ name: String, runs: [RunSummary], capacities: [CapacityAnswer] = [],
            replications: [ReplicationsAnswer] = []
        ) {
            self.name = name
            self.runs = runs
            self.capacities = capacities
            self.replications = replications
        }

        /// The numbers of every figure, by profile: one of a run, and those of all replications.
        var figures: [(profile: String, figures: [FigureSeries])] {
            replications.map { ($0.profile, $0.figures) }
                + runs.map { ($0.profile, FigureSeries.all(of: [Figure.all(of: $0)])) }
        }
    }

    /// A figure of a profile in all releases.
    struct Row {
        let profile, name: String
        let unit: Figure.Unit
        /// Whether less of it is better, or more; nil for neither.
        let lessIsBetter: Bool?
        /// The numbers of each release; empty where it has none.
        let numbers: [[Double]]
        /// The indices of releases where a new level begins.
        fileprivate(set) var changes: [Int] = []
        /// The difference between two halves that would be found half of the time; nil where none
        /// can be found.
        fileprivate(set) var detectable: Double?

        /// Whether a change can be significant: of fewer than eight numbers no order is rare.
        var isTestable: Bool {
            numbers.count { !$0.isEmpty } > 1 && numbers.joined().count >= Trend.numbersMin
        }

        /// One value per release: the mean of its numbers.
        var values: [Double?] { numbers.map { $0.isEmpty ? nil : $0.mean } }
    }

    /// The figures that are shown by default.
    public static let figures = [
        "step_duration p(95)", "refreshes_per_expiry value", "requests count",
    ]

    /// The fewest numbers, of single runs or replications, among which a change can be significant:
    /// of the 56 orders of 3 and 5, 2 are as extreme.
    static let numbersMin = 8

    let releases: [Release]
    let rows: [Row]
    let replay: String

    /// Compares the releases, the oldest first, in the figures that are shown.
    public init(_ releases: [Release], figures: [String] = Trend.figures, replay: String) {
        self.releases = releases
        self.replay = replay
        let runs = releases.map(\.figures)
        var rows: [Row] = []
        for profile in Self.unique(runs.joined().map(\.profile)) {
            let all = runs.map { release in
                release.first { $0.profile == profile }?.figures ?? []
            }
            for name in figures {
                let found = all.map { $0.first { $0.name == name } }
                guard let unit = found.lazy.compactMap({ $0?.unit }).first else { continue }
                rows.append(
                    Row(
                        profile: profile, name: name, unit: unit,
                        lessIsBetter: KeyMetrics.lessIsBetter(name),
                        numbers: found.map { $0?.values.compactMap(\.self) ?? [] }))
            }
        }
        self.rows = Self.tested(rows + Self.capacities(of: releases))
    }

    private static func capacities(of releases: [Release]) -> [Row] {
        let answers = releases.map(\.capacities)
        return unique(answers.joined().map(\.profile)).compactMap { profile in
            let found = answers.map { answers in answers.first { $0.profile == profile } }
            guard let first = found.lazy.compactMap({ $0 }).first else { return nil }
            return Row(
                profile: profile, name: "capacity in \(first.noun)", unit: first.unit ?? .count,
                lessIsBetter: first.direction == .moreIsBetter,
                numbers: found.map { [$0?.capacity?.value].compactMap(\.self) })
        }
    }

    /// The rows with their changes, by one test of all of them.
    private static func tested(_ rows: [Row]) -> [Row] {
        var points = ChangePoints()
        let known = rows.map { row in row.numbers.indices.filter { !row.numbers[$0].isEmpty } }
        let found = points.find(
            in: zip(rows, known).map { row, known in
                known.map { row.numbers[$0] }
            })
        return rows.indices.map { index in
            var row = rows[index]
            row.changes = found[index].changes.map { known[index][$0] }
            row.detectable = found[index].detectable
            return row
        }
    }

    /// Whether none of the figures was measured in any release.
    public var isEmpty: Bool { rows.isEmpty }

    private static func unique(_ names: [String]) -> [String] {
        var seen = Set<String>()
        return names.filter { seen.insert($0).inserted }
    }
}
