public import SquallFormat

extension AnswerDocument {
    /// How wide an answer is where no terminal says otherwise.
    public static let width = 100

    /// The answer for a terminal of so many columns; charts are on the page only.
    public func text(_ ink: Ink, width: Int = width) -> String {
        var lines = [headline(ink)]
        if !question.isEmpty { lines += Prose.lines(question) }
        lines += [""] + Prose.lines(sentence)
        for remark in remarks { lines += Prose.lines(remark, first: "· ", rest: "  ") }
        for section in sections {
            lines += section.paragraphs(ink, width: width, margin: width / 2).flatMap { [""] + $0 }
        }
        lines += [""] + facts.map { "\($0.name): \($0.value)" }
        lines.append("replay: \(replayCommand)")
        return lines.map { $0 + "\n" }.joined()
    }

    private func headline(_ ink: Ink) -> String {
        switch isGood {
        case true?: ink.bold(ink.green("PASSED  \(kind) of \(subject)"))
        case false?: ink.bold(ink.red("FAILED  \(kind) of \(subject)"))
        case nil: ink.bold("\(kind) of \(subject)")
        }
    }
}

extension AnswerMap {
    func lines(_ width: Int) -> [String] {
        var table = TextTable()
        table.append(["\(rowName) \\ \(columnName)"] + columns)
        for (name, cells) in zip(rows, cells) { table.append([name] + cells.map(\.text)) }
        return ["  \(title)"] + table.blocks(width: width, margin: width / 2).flatMap { $0 }
    }
}
