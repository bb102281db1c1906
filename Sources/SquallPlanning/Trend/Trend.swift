public import SquallReport

/// What became of the first figures of profiles from release to release.
public struct Trend: Sendable {
    /// What is known of a release.
    public struct Release: Sendable {
        /// What it is called.
        public let name: String
        /// Runs that were kept of it, one a profile.
        public let runs: [RunSummary]
        /// Searches for a capacity that were kept of it, one a profile.
        public let capacities: [CapacityAnswer]

        /// A release.
        public init(_ name: String, runs: [RunSummary], capacities: [CapacityAnswer] = []) {
            self.name = name
            self.runs = runs
            self.capacities = capacities
        }
    }

    /// A figure of a profile in all releases.
    struct Row {
        let profile, name: String
        let unit: Figure.Unit
        /// Whether less of it is better, more is, or neither.
        let lessIsBetter: Bool?
        /// One a release; nil where it has none.
        let values: [Double?]
        /// The releases with which a new level begins.
        let changes: [Int]

        init(
            _ profile: String, _ name: String, _ unit: Figure.Unit, lessIsBetter: Bool?,
            _ values: [Double?]
        ) {
            (self.profile, self.name, self.unit, self.values) = (profile, name, unit, values)
            self.lessIsBetter = lessIsBetter
            let known = values.indices.filter { values[$0] != nil }
            changes = ChangePoints.indices(in: values.compactMap { $0 }).map { known[$0] }
        }
    }

    /// What is shown when nothing else is asked for.
    public static let figures = [
        "step_duration p(95)", "refreshes_per_expiry value", "requests count",
    ]

    let releases: [Release]
    let rows: [Row]
    let replay: String

    /// The releases in their order, the oldest first, and the figures that are shown.
    public init(_ releases: [Release], figures: [String] = Trend.figures, replay: String) {
        self.releases = releases
        self.replay = replay
        let runs = releases.map { $0.runs.map { ($0.profile, Figure.all(of: $0)) } }
        var rows: [Row] = []
        for profile in Self.unique(runs.joined().map(\.0)) {
            let all = runs.map { release in release.first { $0.0 == profile }?.1 ?? [] }
            for name in figures {
                let found = all.map { $0.first { $0.name == name } }
                guard let unit = found.lazy.compactMap({ $0?.unit }).first else { continue }
                rows.append(
                    Row(
                        profile, name, unit, lessIsBetter: Headlines.lessIsBetter(name),
                        found.map { $0?.value }))
            }
        }
        let answers = releases.map(\.capacities)
        for profile in Self.unique(answers.joined().map(\.profile)) {
            let found = answers.map { answers in answers.first { $0.profile == profile } }
            guard let first = found.lazy.compactMap({ $0 }).first else { continue }
            rows.append(
                Row(
                    profile, "capacity in \(first.noun)", .count,
                    lessIsBetter: first.direction == .moreIsBetter,
                    found.map { $0?.capacity?.value }))
        }
        self.rows = rows
    }

    /// Whether none of the figures was measured in any release.
    public var isEmpty: Bool { rows.isEmpty }

    private static func unique(_ names: [String]) -> [String] {
        var seen = Set<String>()
        return names.filter { seen.insert($0).inserted }
    }
}
