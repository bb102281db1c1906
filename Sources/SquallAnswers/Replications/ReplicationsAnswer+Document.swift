import SquallBackend
public import SquallFormat
import SquallLab
import SquallReport

extension ReplicationsAnswer {
    /// The answer as a document for readers.
    public var document: AnswerDocument {
        var document = AnswerDocument(
            kind: "Replications", subject: profile, sentence: sentence, replayCommand: replay)
        document.question = experiment
        document.verdict = .init(hasPassed, hasFindings: !findings.isEmpty)
        document.remarks =
            [measurementWindow] + (drawsFitted ? [String.drawnOfOne] : [])
            + findings.map { count in
                "\(count.label.findingWords) in \(count.runs) of \(seeds.count) replications"
                    + (count.failsRun ? ", which fails any run" : "")
            }
        document.facts = [
            ("replications", "\(seeds.count)"), ("requests, with warm-up", Units.grouped(requests)),
            ("seeds", seeds.firstOnes),
        ]
        document.sections = [thresholdSection, courseSection, figureSection].compactMap { $0 }
        return document
    }

    private var sentence: String {
        let runs = Units.counted(seeds.count, "replication")
        let failing = thresholds.filter { !$0.holds }
        guard !thresholds.isEmpty else { return "\(runs); no threshold was given." }
        guard failing.isEmpty else {
            return "Over \(runs) \(failing.map(\.shown).notHolding)"
        }
        let all = thresholds.allSatisfy { $0.held == seeds.count }
        return "Over \(runs) every threshold holds"
            + (all ? ", in each of them." : ", though not in each of them alone.")
    }

    private var thresholdSection: Section? {
        guard !thresholds.isEmpty else { return nil }
        let rows = thresholds.map { level -> [Cell] in
            let estimate = self.estimate(level.observed)
            return [
                .init(level.threshold.thresholdShown, isGood: level.holds),
                .number(estimate?.value, level.unit.text),
                .init(estimate.map { level.unit.text($0) } ?? "–"),
                .init("\(level.held) of \(seeds.count)", Double(level.held)),
            ]
        }
        return Section(
            "Thresholds",
            note: "A threshold is judged over all replications together; one that wants an exact"
                + " count must hold in each.",
            [.table(Table([.threshold, .meanOfRuns, .interval, .heldIn], rows))])
    }

    /// The value of each replication for the figures with thresholds, beside the limit.
    private var courseSection: Section? {
        let charts = thresholds.compactMap { level -> Block? in
            let figure = String(
                level.threshold.replacing(": ", with: " ").prefix { !"<>=!".contains($0) })
            let line = AnswerChart.Series(figure, numbered: level.observed, isJoined: false)
            guard line.points.count > 1, Set(level.observed).count > 1 else { return nil }
            let chart = AnswerChart(
                figure, over: .init("replication", of: line.points.map(\.place)),
                up: level.unit.scale, [line])
            return .picture(chart.held(figure, against: [level.threshold]))
        }
        guard !charts.isEmpty else { return nil }
        return Section("Seed by seed", note: "A broken line is a limit.", charts)
    }

    private var figureSection: Section {
        let shown = KeyMetrics.names.compactMap { name in figures.first { $0.name == name } }
        let heads: [Column] = [
            .figure, .meanOfRuns, .interval, .halfWidth, .lowest, .highest,
        ]
        return Section(
            "Figures",
            note: "Means over the replications, with Student's t. All the others are in"
                + " figures.csv.",
            [.table(Table(heads, shown.compactMap(row)))])
    }

    private func row(_ series: FigureSeries) -> [Cell]? {
        guard let estimate = self.estimate(series.values) else { return nil }
        let values = series.values.compactMap { $0 }
        let (lowest, highest) = (values.min() ?? 0, values.max() ?? 0)
        return [
            .init(KeyMetrics.rowName(series.name)),
            .init(series.unit.text(estimate.value), estimate.value),
            .init(series.unit.text(estimate)),
            .number(estimate.plusMinus, series.unit.difference),
            .init(series.unit.text(lowest), lowest), .init(series.unit.text(highest), highest),
        ]
    }

    /// Every figure as CSV, with its interval and its value in each replication.
    public var csv: String {
        let heads = ["figure", "unit", "mean", "low", "high"] + seeds.map { "seed \($0)" }
        let rows = figures.compactMap { series -> [Cell]? in
            guard let estimate = self.estimate(series.values) else { return nil }
            return [
                .init(series.name), .init(series.unit.rawValue),
                .exact(estimate.value), .exact(estimate.low), .exact(estimate.high),
            ] + series.values.map(Cell.exact)
        }
        return Table.csv(heads, rows)
    }
}

extension ReplicationsAnswer.Level {
    /// The threshold as text, with the reason where nothing was measured.
    fileprivate var shown: String {
        threshold.thresholdShown(isMeasured: observed.contains { $0 != nil })
    }
}

extension [String] {
    /// The end of a sentence that lists thresholds which do not hold.
    var notHolding: String {
        joined(separator: " and ") + (count == 1 ? " does not hold." : " do not hold.")
    }
}

extension [UInt64] {
    /// The first seeds, and a sign that there are more.
    var firstOnes: String {
        prefix(3).map(String.init).joined(separator: ", ") + (count > 3 ? " …" : "")
    }
}

extension Cell {
    /// A number as a text says it; nothing where there is none.
    static func number(_ value: Double?, _ text: (Double) -> String) -> Cell {
        value.map { Cell(text($0), $0) } ?? .none
    }
}

extension NumberUnit {
    /// The interval of an estimate as text: `1.02s…1.10s`.
    func text(_ estimate: ConfidenceInterval) -> String {
        guard let low = estimate.low, let high = estimate.high else { return "one run: none" }
        return "\(text(low))…\(text(high))"
    }
}

extension String {
    /// The remark for intervals over replications that drew their own fitted settings.
    static let drawnOfOne =
        "Fitted settings were drawn anew for each replication, from their confidence intervals."
        + " Intervals are for one replication, not for the mean, because only one draw matches the"
        + " real backend."
}

extension String {
    /// The label of a finding in words, for answers over several runs, which count no occurrences:
    /// `redundant refreshes (storm)`; the label alone where it has no words.
    var findingWords: String {
        (AuditKind.installed(self)?.many ?? Self.findingsOfRules[self]).map { "\($0) (\(self))" }
            ?? self
    }

    /// The labels of rules that are no audits.
    private static let findingsOfRules = [
        "attempt.failed": "failed attempts",
        "expiry.neverRefreshed": "expired responses that no refresh followed",
        "fault.backlog": "a backlog after a fault",
        "fault.metastable": "no recovery from a fault: metastable",
        "fault.unrecovered": "no recovery from a fault",
        "load.notAchieved": "less load than planned",
        "reading.outOfOrder": "lists out of order",
        "session.lost": "sessions lost",
        "step.failed": "failed steps",
        "step.hung": "steps that never ended",
        "storm": "redundant refreshes",
        "storm.loop": "refresh loops",
    ]
}
