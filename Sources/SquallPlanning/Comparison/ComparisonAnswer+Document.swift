import SquallFormat
public import SquallReport

extension ComparisonAnswer {
    /// The answer as people read it.
    public var document: AnswerDocument {
        var document = AnswerDocument(
            kind: "Comparison", subject: "\(a) and \(b)", sentence: sentence,
            replayCommand: replay)
        document.isGood = gates.isEmpty ? nil : hasPassed
        document.remarks =
            gates.map { gate in
                "\(gate.holds ? "Not so" : "So it is"): \(gate.condition). \(gate.finding)."
            } + notes
        document.facts = [
            ("A", a), ("B", b), ("seeds in both", "\(seeds.count)"),
            ("requests", Units.grouped(requests)),
        ]
        document.sections = [
            AnswerSection(
                "Differences",
                note: "B − A over the same seeds, with Student's t of the pairs. How sure is"
                    + " corrected for the number of figures (Holm): of twenty such tables without"
                    + " a difference one shows one.",
                [.table(AnswerTable(Self.headings, differences.map(row), wordColumns: [5]))])
        ]
        return document
    }

    private static let headings = ["figure", "A", "B", "B − A", "95 % interval", "verdict", "p"]

    /// The verdict: what is clearly different, and that the rest is not.
    private var sentence: String {
        let distinct = differences.filter(\.isDistinct)
        guard seeds.count >= Self.seedsMin else {
            return "One pair of runs: nothing can be told apart from chance."
        }
        guard !distinct.isEmpty else {
            return "No difference: chance explains all of what B does differently from A, over"
                + " \(seeds.count) seeds."
        }
        let main = distinct.prefix(3).map(\.clause).joined(separator: ", ")
        let waits = ["step_duration p(99)", "step_duration p(95)"]
        let same = differences.first { waits.contains($0.name) && !$0.isDistinct }
        let rest = same.map { "; \($0.clause)" } ?? ""
        let more = distinct.count - min(3, distinct.count)
        return "B beside A: \(main)\(rest)."
            + (more > 0 ? " \(Units.counted(more, "more figure")) clearly differ." : "")
    }

    private func row(_ difference: PairedDifference) -> [AnswerTable.Cell] {
        let unit = difference.unit
        return [
            .init(difference.name), .init(unit.text(difference.a), difference.a),
            .init(unit.text(difference.b), difference.b),
            .init(unit.text(difference.difference.value), difference.difference.value),
            .init(unit.text(difference.difference)),
            verdict(difference),
            difference.corrected.map { .init(Units.threeDigits($0), $0) } ?? .none,
        ]
    }

    private func verdict(_ difference: PairedDifference) -> AnswerTable.Cell {
        guard difference.isDistinct else { return .init("not distinguishable") }
        switch difference.isBetter {
        case true?: return .init("B is better", isGood: true)
        case false?: return .init("B is worse", isGood: false)
        case nil: return .init("they differ")
        }
    }

    /// Every figure that both have, with every number exact.
    public var csv: String {
        let heads = [
            "figure", "unit", "a", "b", "difference", "low", "high", "p", "corrected p", "pairs",
            "correlation",
        ]
        func cell(_ number: Double?) -> AnswerTable.Cell {
            number.map { .init("", $0) } ?? .init("")
        }
        let rows = (differences + others).map { row -> [AnswerTable.Cell] in
            [
                .init(row.name), .init(row.unit.rawValue), cell(row.a), cell(row.b),
                cell(row.difference.value), cell(row.difference.low), cell(row.difference.high),
                cell(row.probability), cell(row.corrected), .init("\(row.pairs)"),
                cell(row.correlation),
            ]
        }
        return AnswerTable(heads, rows).csv
    }
}
