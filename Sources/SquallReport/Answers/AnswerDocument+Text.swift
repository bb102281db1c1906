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
        for section in sections { lines += text(of: section, width) }
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

    private func text(of section: AnswerSection, _ width: Int) -> [String] {
        let blocks = section.blocks.flatMap { block -> [String] in
            switch block {
            case .chart: []
            case .table(let table): table.lines(width)
            case .map(let map): map.lines(width)
            case .sentence(let text): Prose.lines(text, first: "  ", rest: "  ")
            }
        }
        return blocks.isEmpty ? [] : ["", section.title] + blocks
    }
}

extension AnswerTable {
    fileprivate func lines(_ width: Int) -> [String] {
        var table = TextTable(leftAligned: wordColumns)
        table.append(headings)
        for row in rows {
            table.append(
                row.map { cell in
                    guard let isGood = cell.isGood else { return cell.text }
                    return cell.text + (isGood ? " ✓" : " ✗")
                })
        }
        return table.answerLines(width)
    }

    /// The table with every number exact.
    public var csv: String {
        let rows = rows.map { row in
            row.map { cell in cell.number.map { "\($0)" } ?? cell.text }
        }
        return ([headings] + rows).map { row in
            row.map(\.quotedForCSV).joined(separator: ",") + "\n"
        }.joined()
    }
}

extension AnswerMap {
    fileprivate func lines(_ width: Int) -> [String] {
        var table = TextTable()
        table.append(["\(rowName) \\ \(columnName)"] + columns)
        for (name, cells) in zip(rows, cells) { table.append([name] + cells.map(\.text)) }
        return ["  \(title)"] + table.answerLines(width)
    }
}

extension TextTable {
    /// The rows with whole names: in blocks, one below the other, where they are too wide together.
    fileprivate func answerLines(_ width: Int) -> [String] {
        guard fullWidth + 2 > width else { return lines(width: width) }
        return blocks(width: width, margin: width / 2).enumerated().flatMap { index, block in
            (index == 0 ? [] : [""]) + block
        }
    }
}

extension String {
    /// The text as a cell of a CSV file (RFC 4180).
    fileprivate var quotedForCSV: String {
        guard contains(where: { ",\"\n\r".contains($0) }) else { return self }
        return "\"" + replacing("\"", with: "\"\"") + "\""
    }
}
