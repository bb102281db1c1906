import SquallFormat
public import SquallReport

/// The changes of the first figures of profiles from release to release.
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
        var sides: [(profile: String, side: ComparisonSide)] {
            replications.map { ($0.profile, ComparisonSide(name, $0)) }
                + runs.map { ($0.profile, ComparisonSide(name, $0)) }
        }
    }

    /// A figure of a profile in all releases.
    struct Row {
        let profile, name: String
        let unit: NumberUnit
        /// The numbers of each release; empty where it has none.
        let numbers: [[Double]]
        /// The last release beside those before it; nil where they cannot be compared.
        fileprivate(set) var last: PairedDifference?
        /// True if more is better, of a capacity, which is no figure of a run; else `nil`.
        fileprivate(set) var moreIsBetter: Bool?

        /// One value per release: the mean of its numbers.
        var values: [Double?] { numbers.map { $0.isEmpty ? nil : $0.mean } }

        /// True if the last release is better; `nil` where the difference is not significant, or
        /// neither direction is better.
        var isBetter: Bool? {
            guard let last, last.isTold else { return nil }
            return moreIsBetter.map { (last.difference.value > 0) == $0 } ?? last.isBetter
        }
    }

    /// The figures that are shown by default.
    public static let figures = [
        "step_duration p(95)", "refreshes_per_expiry value", "requests count",
    ]

    let releases: [Release]
    let rows: [Row]
    /// The order of the releases, in words: `version numbers`.
    let order: String
    let replay: String
    /// The conditions on the last release, and what came of them.
    private(set) var gates: [ComparisonAnswer.Gate] = []

    /// Compares the last release with those before it, in the figures that are shown; `order` names
    /// their order, the oldest first.
    ///
    /// The test is that of a comparison. A release with replications is compared with the one
    /// before it, seed by seed. A single run is compared with all single runs before it: it differs
    /// where one more run of theirs would not be so far off, in 95 of 100 pages over all rows.
    /// What `conditions` ask of it is shown too.
    public init(
        _ releases: [Release], figures: [String] = Trend.figures,
        judging conditions: [ComparisonGate] = [], order: String = ReleaseOrder.given.rawValue,
        replay: String
    ) {
        (self.releases, self.order, self.replay) = (releases, order, replay)
        let sides = releases.map(\.sides)
        var rows: [Row] = []
        for profile in Self.unique(sides.joined().map(\.profile)) {
            let all = sides.map { sides in sides.first { $0.profile == profile }?.side }
            let tests = Self.tests(of: all)
            for name in Self.unique(figures + conditions.map(\.figure)) {
                let found = all.map { $0?.figures.first { $0.name == name } }
                guard let unit = found.lazy.compactMap({ $0?.unit }).first else { continue }
                rows.append(
                    Row(
                        profile: profile, name: name, unit: unit,
                        numbers: found.map { $0?.values.compactMap(\.self) ?? [] },
                        last: tests.first { $0.name == name }))
            }
        }
        self.rows = Self.corrected(rows + Self.capacities(of: releases))
        gates = judged(conditions)
    }

    /// The figures of the last release beside those before it.
    private static func tests(of sides: [ComparisonSide?]) -> [PairedDifference] {
        guard let last = sides.last.flatMap(\.self) else { return [] }
        let earlier = sides.dropLast().compactMap(\.self)
        guard last.count == 1 else {
            guard let before = earlier.last else { return [] }
            let shared = before.seeds.filter(last.seeds.contains)
            return shared.count < ComparisonAnswer.seedsMin
                ? [] : ComparisonAnswer.pairs(before, last, shared)
        }
        let single = earlier.filter { $0.count == 1 }
        guard single.count >= ComparisonAnswer.seedsMin else { return [] }
        let places = single.indices.map(UInt64.init)
        func side(_ values: (String) -> [Double?]) -> ComparisonSide {
            ComparisonSide(
                last.name, seeds: places,
                figures: last.figures.map { series in
                    FigureSeries(name: series.name, unit: series.unit, values: values(series.name))
                })
        }
        let known = (single + [last]).map { side in
            Dictionary(side.figures.map { ($0.name, $0.values.first ?? nil) }) { first, _ in first }
        }
        let before = side { name in known.dropLast().map { $0[name] ?? nil } }
        let now = side { name in places.map { _ in known.last?[name] ?? nil } }
        return ComparisonAnswer.pairs(before, now, places, ofOne: true)
    }

    private static func capacities(of releases: [Release]) -> [Row] {
        let answers = releases.map(\.capacities)
        return unique(answers.joined().map(\.profile)).compactMap { profile in
            let found = answers.map { answers in answers.first { $0.profile == profile } }
            guard let first = found.lazy.compactMap({ $0 }).first else { return nil }
            let (name, unit) = ("capacity in \(first.noun)", first.unit ?? .count)
            let numbers = found.map { $0?.capacity?.value }
            let last = numbers.last.flatMap(\.self).flatMap { last in
                let pairs = numbers.dropLast().compactMap(\.self).map { (a: $0, b: last) }
                return pairs.count < 2 ? nil : PairedDifference(name, unit, pairs, ofOne: true)
            }
            return Row(
                profile: profile, name: name, unit: unit,
                numbers: numbers.map { [$0].compactMap(\.self) },
                last: last, moreIsBetter: first.direction != .moreIsBetter)
        }
    }

    /// The rows with their probabilities corrected for each other.
    private static func corrected(_ rows: [Row]) -> [Row] {
        let tested = rows.indices.filter { rows[$0].last != nil }
        let corrected = ComparisonAnswer.corrected(tested.compactMap { rows[$0].last })
        var rows = rows
        for (index, last) in zip(tested, corrected) { rows[index].last = last }
        return rows
    }

    /// Conditions on the last release, each judged for every profile whose figure was compared.
    private func judged(_ conditions: [ComparisonGate]) -> [ComparisonAnswer.Gate] {
        conditions.flatMap { gate in
            let tested = rows.filter { $0.name == gate.figure && $0.last != nil }
            guard !tested.isEmpty else { return [gate.judged([])] }
            return tested.map { row in
                var judged = gate.judged([row.last].compactMap(\.self))
                judged.finding = "\(row.profile): \(judged.finding)"
                return judged
            }
        }
    }

    /// True if no condition occurred; nil without conditions.
    public var passes: Bool? { gates.isEmpty ? nil : gates.allSatisfy(\.holds) }

    /// True if none of the figures was measured in any release.
    public var isEmpty: Bool { rows.isEmpty }

    private static func unique(_ names: [String]) -> [String] {
        var seen = Set<String>()
        return names.filter { seen.insert($0).inserted }
    }
}
