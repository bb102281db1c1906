public import SquallReport

/// How the first figures of profiles change from release to release.
public struct Trend: Sendable {
    /// The stored results of a release.
    public struct Release: Sendable {
        /// The release's name.
        public let name: String
        /// Its stored runs, one per profile.
        public let runs: [RunSummary]
        /// Its stored searches for a capacity, one per profile.
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
        /// Whether less of it is better, or more; nil for neither.
        let lessIsBetter: Bool?
        /// One value per release; nil where it has none.
        let values: [Double?]
        /// The indices of releases where a new level begins.
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

    /// The figures that are shown by default.
    public static let figures = [
        "step_duration p(95)", "refreshes_per_expiry value", "requests count",
    ]

    let releases: [Release]
    let rows: [Row]
    let replay: String

    /// Compares the releases, the oldest first, in the figures that are shown.
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
                    profile, "capacity in \(first.noun)", first.unit ?? .count,
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
