public import SquallFormat
import SquallReport

extension ComparisonAnswer {
    /// The answer as a document for readers.
    public var document: AnswerDocument {
        var document = AnswerDocument(
            kind: "Comparison", subject: "\(a) and \(b)", sentence: sentence,
            replayCommand: replay)
        document.verdict = .init(gates.isEmpty ? nil : hasPassed)
        document.remarks =
            gates.map(\.text) + (corrections == nil ? dilutions : advice) + notes
            + remarkOnIntervals
        document.facts = [
            ("A", a), ("B", b), ("seeds for each side", "\(seeds.count)"),
            ("requests, with warm-up", Units.grouped(requests)),
        ]
        document.sections = [
            correctionSection,
            chartSection,
            Section(
                "Differences",
                note: (corrections == nil
                    ? "B − A over the same seeds, ± by Student's t of the pairs;" : Self.drivenNote)
                    + " pp are percentage points. A true difference of 'min. detectable' is found"
                    + " with 80 % probability. p is corrected for the number of figures (Holm): one"
                    + " in twenty comparisons of equal sides shows a difference. 'too small' is a"
                    + " significant one below half a percent, or a point of utilisation.",
                [.table(Table(headings, differences.map(row)))]),
        ].compactMap(\.self)
        return document
    }

    /// The remark that the intervals are of one figure alone while the decisions count all figures.
    private var remarkOnIntervals: [String] {
        let tests = differences.count { $0.corrected != nil }
        return tests < 2
            ? []
            : [
                "± is the 95 % interval of each figure alone; p and the decision are corrected for"
                    + " \(tests) figures (Holm), so an interval without 0 may be not significant."
            ]
    }

    /// The figures that differ, as shares of A's value.
    private var chartSection: Section? {
        let rows = differences.compactMap { figure -> DifferenceChart.Row? in
            let (difference, a) = (figure.difference, figure.a)
            guard figure.probability != nil, a > 0, let low = difference.low,
                let high = difference.high
            else { return nil }
            return .init(
                figure.name, difference.value / a, low: low / a, high: high / a,
                isGood: figure.isBetter)
        }
        return DifferenceChart(rows).map { chart in
            Section(
                "B relative to A",
                note: "Difference of each figure from A to B, with its 95 % confidence interval."
                    + " Green is better, red is worse, grey is not significant after correction for"
                    + " the number of figures (Holm), or neither. A figure that is 0 in A is only"
                    + " in the table.",
                [.picture(chart)])
        }
    }

    private var headings: [Column] {
        (corrections == nil
            ? [.figure, .firstProfile, .secondProfile] : [.figure, .driven, .simulated])
            + [.difference, .halfWidthAlone, .detectable, .verdict, .probability]
    }

    /// The verdict: the significant differences, and that the rest shows none.
    private var sentence: String {
        if let corrections { return drivenSentence(corrections) }
        let distinct = differences.filter(\.isTold)
        guard !seeds.isEmpty else {
            return "There is no pair: A and B have no seed in common."
        }
        guard seeds.count >= Self.seedsMin else {
            return "One pair of runs: significance needs at least \(Self.seedsMin) pairs."
        }
        guard !distinct.isEmpty else { return silence }
        // What matters most is first; what became worse is never left out for what became better.
        let groups = [(false, "worse"), (true, "better"), (nil, "changed")].map { isBetter, word in
            (word: word, figures: Self.named(distinct.filter { $0.isBetter == isBetter }))
        }.filter { !$0.figures.isEmpty }
        let isJudged = groups.contains { $0.figures[0].isBetter != nil }
        let shown = groups.filter { !isJudged || $0.figures[0].isBetter != nil }
            .ordered { $0.figures[0].effect > $1.figures[0].effect }
        let main = shown.map { group in
            "\(group.word): \(group.figures.map(\.clause).joined(separator: ", "))"
        }
        let same = ["step_duration p(99)", "step_duration p(95)"].lazy.compactMap { name in
            differences.first { $0.name == name && !$0.isDistinct }
        }.first
        let more = distinct.count - shown.reduce(0) { $0 + $1.figures.count }
        return "\(contrast), \((main + (same.map { [$0.clause] } ?? [])).joined(separator: "; "))."
            + (more > 0 ? " \(Units.counted(more, "more figure")) changed significantly." : "")
    }

    /// The figures of a group that a sentence names: the three metrics that matter most, each once,
    /// and the duration of steps where that is among the others.
    private static func named(_ group: [PairedDifference]) -> [PairedDifference] {
        var metrics = Set<Substring>()
        let first = group.filter { metrics.insert($0.name.prefix { $0 != " " }).inserted }
        return first.prefix(3)
            + first.dropFirst(3).filter { $0.name.hasPrefix(Metric.stepDuration.name) }
    }

    /// The difference of B from A: `With design naive` where that is the only one.
    private var contrast: String {
        guard b.hasPrefix("\(a) with ") else { return "\(b) beside \(a)" }
        return "With "
            + b.dropFirst(a.count + 6).replacing(", ", with: "\n")
            .split(separator: "\n").map { String($0).settingWords }.joined(separator: " and ")
    }

    /// Says that there is no significant difference, and how large one would have been detected.
    private var silence: String {
        let figures = differences.filter { $0.probability != nil }
        let runs = "\(seeds.count) pairs of runs"
        guard differences.allSatisfy({ !$0.isDistinct }) else {
            return "No difference that matters with \(runs): those that are significant are below"
                + " half a percent, or a point of utilisation."
        }
        guard !figures.isEmpty else {
            return "A and B are the same in every figure, in each of \(runs)."
        }
        let telling = figures.filter { $0.detectableText != nil }
        let asked = gates.map(\.figure) + ["step_duration p(95)"]
        let wanted = asked.lazy.compactMap { name in telling.first { $0.name == name } }.first
        guard let figure = wanted ?? telling.first, let least = figure.detectableText
        else {
            return "No significant difference with \(runs), which are too few to show any."
        }
        return "No significant difference with \(runs); the smallest detectable one in"
            + " \(KeyMetrics.words(figure.name)) is \(least) (80 % power)."
    }

    private func row(_ difference: PairedDifference) -> [Cell] {
        let shown = difference.shown
        return [
            .init(KeyMetrics.rowName(difference.name)),
            .init(shown.a, difference.a), .init(shown.b, difference.b),
            .init(shown.difference, difference.difference.value),
            .number(difference.difference.halfWidth, difference.unit.difference),
            difference.detectable.flatMap { number in
                difference.detectableText.map { .init($0, number) }
            } ?? .none,
            verdict(difference),
            .number(difference.corrected, Self.text),
        ]
    }

    private static func text(probability: Double) -> String {
        probability <= PairedDifference.probabilityMin
            ? "<0.0001" : Units.digits(probability, significant: 2)
    }

    private func verdict(_ difference: PairedDifference) -> Cell {
        .init(
            difference.pairs < Self.seedsMin ? "one pair" : difference.decision.rawValue,
            isGood: difference.isBetter)
    }

    /// Names the shares that moved only because their whole changed.
    private var dilutions: [String] {
        differences.filter(\.isTold).compactMap { difference in
            let name = KeyMetrics.words(difference.name)
            switch difference.dilution {
            case .wholeGrew?:
                return "Lower is not better there: \(name) falls because its denominator grew, not"
                    + " because fewer fail."
            case .wholeShrank?:
                return "Higher is not worse there: \(name) rises because its denominator shrank,"
                    + " not because more fail."
            case .repairs?:
                return "Higher is not worse there: \(name) rises because B repeats calls that were"
                    + " refused as expired, and they succeed."
            case .withBase?:
                guard let part = difference.perBase else { return nil }
                return "Neither better nor worse: \(name) follows the number of"
                    + " \(part.base.plural)."
            case nil: return nil
            }
        }
    }

    /// Every figure that both have as CSV, with every number exact.
    public var csv: String {
        let heads = [
            "figure", "unit", "a", "b", "difference", "low", "high", "p", "corrected p",
            "min. detectable", "pairs", "correlation", "moved by",
        ]
        let rows = (differences + others).map { row -> [Cell] in
            [
                .init(row.name), .init(row.unit.rawValue), .exact(row.a), .exact(row.b),
                .exact(row.difference.value), .exact(row.difference.low),
                .exact(row.difference.high),
                .exact(row.probability), .exact(row.corrected), .exact(row.detectable),
                .init("\(row.pairs)"), .exact(row.correlation),
                .init(row.dilution?.rawValue ?? ""),
            ]
        }
        return Table.csv(heads, rows)
    }
}
