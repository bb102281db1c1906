public import SquallFormat
import SquallLab
import SquallReport

extension BatchesAnswer {
    /// The answer as people read it.
    public var document: AnswerDocument {
        var document = AnswerDocument(
            kind: "Batches", subject: profile, sentence: sentence, replayCommand: replay)
        document.question = experiment
        document.verdict = .init(hasPassed, hasFindings: !findings.isEmpty)
        document.remarks = [measurementWindow, independence] + wrong
        document.facts = [
            ("batches", "\(batches) of \(Units.approximate(nanoseconds: batchNanoseconds))"),
            ("requests, with warm-up", Units.grouped(requests)), ("seed", "\(seed)"),
        ]
        document.sections = [thresholdSection, figureSection, courseSection].compactMap { $0 }
        return document
    }

    private var sentence: String {
        let cut = "In one run, cut into \(batches) batches,"
        let failing = thresholds.filter { !$0.holds }.map(\.threshold.thresholdShown)
        guard !thresholds.isEmpty else { return "\(cut) no threshold was given." }
        guard !failing.isEmpty else { return "\(cut) every threshold holds." }
        return "\(cut) \(failing.notHolding)"
    }

    /// The run's findings: one line for those that fail any run and one for the rest.
    private var wrong: [String] {
        let others = findings.filter { !failures.contains($0) }
        return [("Fails any run", failures), ("Found", others)].filter { !$0.1.isEmpty }
            .map { "\($0): \($1.map(\.findingWords).joined(separator: ", "))." }
    }

    /// Says whether the intervals of the figures shown can be trusted.
    private var independence: String {
        let told = (headlines + thresholds.compactMap(\.observed)).filter { $0.lag1 != nil }
        let dependent = told.filter { !$0.isIndependent }.map(\.name)
        guard !dependent.isEmpty else {
            return "Consecutive batches are not significantly correlated in any of \(told.count)"
                + " figures: the intervals are valid."
        }
        let isChance = Double(dependent.count) <= max(1, 0.1 * Double(told.count))
        return "Consecutive batches are correlated in \(dependent.count) of \(told.count) figures:"
            + " \(dependent.joined(separator: ", ")). Their intervals are too narrow; take a longer"
            + " run (--for)"
            + (isChance ? ", unless it is a false positive, as in one figure of twenty." : ".")
    }

    private var thresholdSection: Section? {
        guard !thresholds.isEmpty else { return nil }
        let rows = thresholds.map { level -> [Cell] in
            let name = Cell(level.threshold.thresholdShown, isGood: level.holds)
            guard let figure = level.observed else { return [name, .none, .none, .none, .none] }
            return [name] + cells(of: figure)
        }
        return Section(
            "Thresholds", note: "Judged over the whole run.",
            [.table(Table([.threshold] + Self.heads, rows))])
    }

    private var figureSection: Section {
        let rows = headlines.map { [.init($0.name)] + cells(of: $0) }
        return Section(
            "Figures",
            note: "The run's own numbers, with Student's t over the batches. Lag 1 is how much a"
                + " batch says about the next, from -1 to 1. All the others are in figures.csv.",
            [.table(Table([.figure] + Self.heads, rows))])
    }

    private static let heads: [Column] = [.oneRun, .interval, .halfWidth, .lag]

    private func cells(of figure: BatchFigure) -> [Cell] {
        let estimate = figure.estimate
        let lag = figure.lag1.map {
            Cell(Units.threeDigits($0), $0, isGood: figure.isIndependent ? nil : false)
        }
        return [
            .init(figure.unit.text(estimate.value), estimate.value),
            estimate.halfWidth == nil ? .none : .init(figure.unit.text(estimate)),
            .number(estimate.plusMinus, figure.unit.difference), lag ?? .none,
        ]
    }

    /// How long steps took in each batch: a trend means the run is not steady.
    private var courseSection: Section? {
        let names = ["step_duration p(95)", "step_duration avg"]
        let series = figures.filter { names.contains($0.name) }
            .map { AnswerChart.Series($0.name, numbered: $0.values) }
        guard series.contains(where: { $0.points.count > 1 }) else { return nil }
        let chart = AnswerChart(
            "How long steps took, batch by batch", over: .init("batch"), up: .durations, series)
        return Section("Over time", note: "What drifts is not steady.", [.picture(chart)])
    }

    /// Every figure, with its interval and its value in each batch.
    public var csv: String {
        let heads =
            ["figure", "unit", "run", "low", "high", "lag 1"]
            + (1...batches).map { "batch \($0)" }
        let rows = figures.map { figure -> [Cell] in
            [.init(figure.name), .init(figure.unit.rawValue)]
                + ([figure.estimate.value, figure.estimate.low, figure.estimate.high, figure.lag1]
                + figure.values).map(Cell.exact)
        }
        return Table.csv(heads, rows)
    }
}
