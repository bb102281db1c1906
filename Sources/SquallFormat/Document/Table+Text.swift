extension Table {
    /// The rows below their headings, for a terminal.
    ///
    /// Rows of several populations are grouped below their names; a single one needs no name.
    /// Columns that do not fit side by side are in several blocks, one below the other, each with
    /// the rows' names cut to at least `margin` characters; sentences that do not fit beside the
    /// names follow in lines of their own.
    func lines(_ style: TerminalStyle, width: Int, margin: Int) -> [String] {
        let visible = columns.indices.dropFirst(names).filter {
            !columns[$0].isOnPageOnly && columns[$0].content != .bar
        }
        let hasOwner = names > 1 && columns.first == .population
        let isOwned = hasOwner && Set(rows.map(\.[0])).count > 1
        let named = columns.indices.prefix(names).dropFirst(hasOwner ? 1 : 0)
            .filter { !columns[$0].isOnPageOnly }
        let titles = rows.prefix(rowsInText).map { row in
            "  " + named.map { row[$0].words }.joined(separator: " · ")
        }
        let titleWidth = titles.map(\.count).max() ?? 0
        let long = visible.filter { column in
            columns[column].content == .sentence
                && rows.contains { titleWidth + 2 + $0[column].words.count > width }
        }
        let shown = visible.filter { !long.contains($0) }
        let aligned = shown.enumerated().filter { columns[$1].isOfWords }.map { $0.offset + 1 }
        let joined = shown.enumerated().filter { columns[$1].isOfColumnBefore }
            .map { $0.offset + 1 }
        var table = TextTable(leftAligned: Set(aligned))
        table.append(
            ["  " + named.map { columns[$0].short }.joined(separator: " · ")]
                + shown.map { columns[$0].short })
        for (index, row) in rows.prefix(rowsInText).enumerated() {
            if isOwned, index == 0 || rows[index - 1][0] != row[0] {
                table.append(["  " + row[0].words])
            }
            table.append([(isOwned ? "  " : "") + titles[index]] + shown.map { row[$0].words })
        }
        let more = rows.count - min(rows.count, rowsInText)
        let isOnlyLong = shown.isEmpty && !long.isEmpty
        let blocks =
            isOnlyLong ? [] : table.blocks(width: width, margin: margin, joined: Set(joined))
        let heading = named.map { columns[$0].short }.joined(separator: " · ")
        let sentences = long.flatMap { column in
            wrapped(column, heading, titles, min(titleWidth, width / 2), style, width)
        }
        return blocks.flatMap { [style.dim($0[0])] + $0.dropFirst().map(style.signs) } + sentences
            + (more > 0 ? ["  and \(Units.grouped(Int64(more))) more"] : [])
    }

    /// A column of long sentences below their heading, each beside its row's name.
    private func wrapped(
        _ column: Int, _ heading: String, _ titles: [String], _ nameWidth: Int,
        _ style: TerminalStyle, _ width: Int
    ) -> [String] {
        func start(_ name: String) -> String {
            let text = name.fitted(to: nameWidth)
            return text + String(repeating: " ", count: nameWidth - text.count + 2)
        }
        let rest = String(repeating: " ", count: nameWidth + 2)
        return [style.dim(start("  " + heading) + columns[column].short)]
            + zip(titles, rows).flatMap { title, row -> [String] in
                let text = row[column].words
                guard !text.isEmpty, text != "–" else { return [] }
                return WordWrap.lines(text, width: width, first: start(title), rest: rest)
                    .map(style.signs)
            }
    }
}

extension Cell {
    /// The text on a terminal: long counts are shortened.
    fileprivate var words: String {
        if column.content == .count, let number {
            return sign + Units.approximate(count: Int64(clamped: number))
        }
        return (sign + text).visible
    }
}

extension TerminalStyle {
    /// A line with its leading mark coloured.
    func signs(_ line: String) -> String {
        guard let place = line.firstIndex(where: { $0 != " " }) else { return line }
        let rest = line[line.index(after: place)...]
        return switch line[place] {
        case "✓": line[..<place] + green("✓") + rest
        case "✗": line[..<place] + red("✗") + rest
        default: line
        }
    }
}
