import SquallFormat

extension Table {
    /// The rows below their headings, for a terminal.
    ///
    /// Rows of several populations are grouped below their names; a single one needs no name.
    /// Columns that do not fit side by side are in several blocks, one below the other, each with
    /// the rows' names cut to at least `margin` characters.
    func lines(_ style: TerminalStyle, width: Int, margin: Int) -> [String] {
        let shown = columns.indices.dropFirst(names).filter {
            !columns[$0].isOnPageOnly && columns[$0].unit != .bar
        }
        let hasOwner = names > 1 && columns.first == .population
        let isOwned = hasOwner && Set(rows.map(\.[0])).count > 1
        let named = columns.indices.prefix(names).dropFirst(hasOwner ? 1 : 0)
            .filter { !columns[$0].isOnPageOnly }
        let aligned = shown.enumerated().filter { columns[$1].isOfWords }.map { $0.offset + 1 }
        let joined = shown.enumerated().filter { columns[$1].isOfColumnBefore }
            .map { $0.offset + 1 }
        var table = TextTable(leftAligned: Set(aligned))
        table.append(
            ["  " + named.map { columns[$0].short }.joined(separator: " · ")]
                + shown.map { columns[$0].short })
        for (index, row) in rows.prefix(rowsInText).enumerated() {
            if isOwned, index == 0 || rows[index - 1][0] != row[0] {
                table.append(["  " + row[0].words(width)])
            }
            let name = named.map { row[$0].words(width) }.joined(separator: " · ")
            table.append([(isOwned ? "    " : "  ") + name] + shown.map { row[$0].words(width) })
        }
        let more = rows.count - min(rows.count, rowsInText)
        return table.blocks(width: width, margin: margin, joined: Set(joined)).flatMap { lines in
            [style.dim(lines[0])] + lines.dropFirst().map(style.signs)
        } + (more > 0 ? ["  and \(Units.grouped(Int64(more))) more"] : [])
    }
}

extension Cell {
    /// The text on a terminal of the given width: long counts are shortened, sentences cut.
    fileprivate func words(_ width: Int) -> String {
        switch (column.unit, number) {
        case (.count, let number?): sign + Units.approximate(count: Int64(clamped: number))
        case (.sentence, _): (sign + text).visible.fitted(to: max(16, width - 16))
        default: (sign + text).visible
        }
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
