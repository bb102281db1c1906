import SquallFormat
public import SquallReport

/// The differences of two designs: the content of `comparison.json`.
public struct ComparisonAnswer: PlanAnswer, Sendable {
    /// The name of the file with its table.
    public static let csvFile = "differences.csv"

    /// The names of A and B, as the command line gives them.
    let a, b: String
    /// The seeds that both ran with.
    let seeds: [UInt64]
    /// The figures that the verdict is about, the most relevant first.
    let differences: [PairedDifference]
    /// Every other figure of both designs, uncorrected, sorted by name.
    let others: [PairedDifference]
    /// The conditions that fail the comparison, each with its result.
    let gates: [Gate]
    /// Remarks that go with the answer.
    let notes: [String]
    /// Attempts that were simulated for it.
    public let requests: Int64
    /// The command that computes it again.
    let replay: String
    /// The settings that were neither measured nor given; nil where there are none.
    public var assumed: [AssumedRow]?
    /// Where A was driven, the settings of B that could make it agree, the best first; else nil.
    var corrections: [ProfileCorrection]?

    /// A condition that fails the comparison.
    struct Gate: Encodable, Sendable {
        /// The condition as it was written: `p99 worse`.
        let condition: String
        /// The observed difference, in a sentence.
        var finding: String
        /// True if the condition did not occur.
        let holds: Bool
        /// The full name of its figure.
        let figure: String

        private enum CodingKeys: CodingKey { case condition, finding, holds }

        /// The condition and what came of it, as a sentence.
        var text: String {
            "--fail-if '\(condition)' is \(holds ? "not met" : "met"): \(finding)."
        }
    }

    /// The fewest seeds for an interval.
    static let seedsMin = 2

    /// Compares the same figures of two designs, seed by seed, or of a driven run as A with each of
    /// B's simulations.
    public init(
        _ a: ComparisonSide, _ b: ComparisonSide, gates: [ComparisonGate], replay: String,
        drawsFitted: Bool = false
    ) {
        let ofDriven = a.driven != nil && b.driven == nil
        let shared = ofDriven ? b.seeds : a.seeds.filter(b.seeds.contains)
        self.a = a.name
        self.b = b.name
        seeds = shared
        var pairs = Self.pairs(a, b, shared)
        let named = (ofDriven ? Self.drivenNames(a) : KeyMetrics.names) + gates.map(\.figure)
        let headlines = Self.corrected(pairs.filter { named.contains($0.name) })
        pairs.removeAll { named.contains($0.name) }
        differences = Self.sorted(headlines)
        others = pairs
        self.gates = gates.map { $0.judged(headlines) }
        corrections = ofDriven ? [] : nil
        notes =
            (ofDriven ? Self.drivenNotes(a, b, headlines) : Self.notes(a, b, shared))
            + (drawsFitted
                ? [
                    "Fitted settings were drawn anew for each seed, the same for both sides as far"
                        + " as both have them: differences are means over what the fit allows."
                ] : [])
        requests = a.requests + b.requests
        self.replay = replay
    }

    /// True if none of the conditions occurred.
    public var hasPassed: Bool { gates.allSatisfy(\.holds) }

    /// The figures with their probabilities corrected for each other.
    ///
    /// Pairs that are all equal need no test, and a figure that repeats one before it in another
    /// unit, such as a count beside its rate, needs none of its own: neither makes the others less
    /// sure.
    static func corrected(_ figures: [PairedDifference]) -> [PairedDifference] {
        var figures = figures
        var family: [Int] = []
        var twins: [(index: Int, of: Int)] = []
        for index in figures.indices where figures[index].probability != nil {
            if let twin = family.first(where: { figures[$0].saysTheSame(as: figures[index]) }) {
                twins.append((index, twin))
            } else {
                family.append(index)
            }
        }
        let corrected = Significance.corrected(family.compactMap { figures[$0].probability })
        for (index, probability) in zip(family, corrected) {
            figures[index].corrected = probability
        }
        for (index, twin) in twins { figures[index].corrected = figures[twin].corrected }
        for index in figures.indices {
            figures[index].detectable = figures[index].detectable(amongFigures: family.count)
        }
        return figures
    }

    /// True if a table of two designs shows no difference, each replication paired with the one of
    /// the same number although their seeds differ.
    ///
    /// It serves to prove that equal designs are called different no more often than claimed; a
    /// comparison itself pairs by seed.
    public static func isSilent(_ a: [Replication], _ b: [Replication]) -> Bool {
        let places = (0..<UInt64(min(a.count, b.count))).map(\.self)
        let sides = [a, b].map {
            ComparisonSide("", seeds: places, figures: FigureSeries.all(of: $0.map(\.figures)))
        }
        let differences = pairs(sides[0], sides[1], places)
            .filter { KeyMetrics.names.contains($0.name) }
        return corrected(differences).allSatisfy { !$0.isDistinct }
    }

    /// The part of a rise in attempts that repairs of expired responses explain.
    private static let repairsMin = 0.9

    /// The reason for which a figure moved although nothing became better or worse; `nil` where
    /// something did.
    private static func dilution(
        of index: Int, in figures: [PairedDifference]
    ) -> PairedDifference.Dilution? {
        let share = figures[index]
        let change = share.difference.value
        if change > 0, ["retries count", "requests count"].contains(share.name),
            let repairs = figures.first(where: { $0.name == "expired_repaired count" }),
            repairs.difference.value >= repairsMin * change
        {
            return .repairs
        }
        if let part = share.perBase {
            return part.isDistinct || share.probability == nil ? nil : .withBase
        }
        guard share.unit == .share, share.name.hasSuffix(" rate"), change != 0 else { return nil }
        let name = share.name.dropLast("rate".count) + "count"
        guard let counted = figures.first(where: { $0.name == name }) else { return nil }
        let follows =
            counted.difference.value * change > 0
            && (counted.probability ?? 1) < PairedDifference.significance
        return follows ? nil : change < 0 ? .wholeGrew : .wholeShrank
    }

    /// The numbers of a figure in pairs, without the seeds in which one side has none.
    private static func values(
        _ a: FigureSeries, _ b: FigureSeries, _ left: [Int], _ right: [Int]
    ) -> [(a: Double, b: Double)] {
        zip(left, right).compactMap { one, two in
            guard let a = a.values[one], let b = b.values[two] else { return nil }
            return (a, b)
        }
    }

    /// The figures that both sides have, by pairs of seeds; with `ofOne`, one side has one run.
    static func pairs(
        _ a: ComparisonSide, _ b: ComparisonSide, _ seeds: [UInt64], ofOne: Bool = false
    ) -> [PairedDifference] {
        let (left, right) = (a.places(of: seeds), b.places(of: seeds))
        let byName = Dictionary(b.figures.map { ($0.name, $0) }) { first, _ in first }
        let ofDriven = a.driven != nil && b.driven == nil
        let ofOne = ofOne || ofDriven
        var pairs = a.figures.compactMap { series -> PairedDifference? in
            guard let other = byName[series.name] else { return nil }
            let values = Self.values(series, other, left, right)
            guard
                var pair = PairedDifference(series.name, series.unit, values, ofOne: ofOne)
            else { return nil }
            if ofDriven { pair.tolerance = a.tolerance(of: series.name, simulated: pair.b) }
            if !ofDriven, let base = FigureMeaning(of: series.name)?.base,
                let own = a.figures.first(where: { $0.name == base.figure }),
                let beside = byName[base.figure]
            {
                pair.divide(values, by: base, Self.values(own, beside, left, right))
            }
            if ofDriven, pair.isWithoutSpread,
                Figure.parts(of: series.name)?.aggregate == "min"
            {
                pair.becomeSure()
            } else if ofDriven, pair.isWithoutSpread {
                let counted =
                    pair.unit == .share
                    ? series.name.replacing(" rate", with: " count") : series.name
                let own = a.figures.first { $0.name == counted && $0.unit == .count }
                let values = byName[counted].map { other in right.compactMap { other.values[$0] } }
                if let own = own?.values.first.flatMap(\.self), let values {
                    pair.count(own, beside: values.reduce(0, +))
                }
            }
            return pair
        }
        for index in pairs.indices { pairs[index].dilution = dilution(of: index, in: pairs) }
        return pairs
    }

    /// Significant differences first, and of those the ones that matter most to users; of a driven
    /// run those that are largest in proportion.
    private static func sorted(_ differences: [PairedDifference]) -> [PairedDifference] {
        func weight(_ difference: PairedDifference) -> Double {
            guard difference.tolerance != nil else { return difference.effect }
            let (a, b) = (difference.a.magnitude, difference.b.magnitude)
            return a == b ? 0 : (a - b).magnitude / max(a, b)
        }
        func rank(_ difference: PairedDifference) -> Int {
            guard difference.tolerance == nil else { return difference.disagrees ? 0 : 2 }
            return !difference.isTold ? 2 : difference.isBetter == nil ? 1 : 0
        }
        return differences.ordered { left, right in
            rank(left) == rank(right) ? weight(left) > weight(right) : rank(left) < rank(right)
        }
    }

    private static func notes(
        _ a: ComparisonSide, _ b: ComparisonSide, _ shared: [UInt64]
    ) -> [String] {
        guard !shared.isEmpty else {
            return [
                "A has the seeds \(a.seeds.firstOnes) and B \(b.seeds.firstOnes): let both run with"
                    + " the same --seed and --replications 10."
            ]
        }
        var notes: [String] = []
        if let one = a.profile, let other = b.profile, one != other {
            notes.append("A is a result of \(one) and B one of \(other): two experiments.")
        }
        if shared.count < max(a.seeds.count, b.seeds.count) {
            notes.append(
                "Only \(Units.counted(shared.count, "seed")) \(shared.count == 1 ? "is" : "are") in"
                    + " both; the other \(a.seeds.count + b.seeds.count - 2 * shared.count) runs"
                    + " have no partner.")
        }
        if shared.count < seedsMin {
            notes.append(
                "One pair of runs has no interval: let both run with --replications 10 for"
                    + " confidence intervals.")
        }
        return notes
    }
}
