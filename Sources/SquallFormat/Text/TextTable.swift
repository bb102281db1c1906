/// Rows of text in aligned columns that fit a given width.
///
/// The first column is left-aligned and gives way, with `…`, when a row would be too wide; all
/// others keep their content, aligned to the right unless said otherwise.
public struct TextTable {
    private var rows: [[String]] = []
    private let leftAligned: Set<Int>

    /// A table whose columns with these indices, and the first, are aligned to the left.
    public init(leftAligned: Set<Int> = []) {
        self.leftAligned = leftAligned.union([0])
    }

    /// Adds a row; missing cells at its end are empty.
    public mutating func append(_ cells: [String]) {
        rows.append(cells)
    }

    /// The rows as lines without trailing spaces.
    ///
    /// - Precondition: `width` is positive.
    public func lines(width: Int, indentation: Int = 2) -> [String] {
        precondition(width > 0, "a table cannot be \(width) columns wide")
        let widths = columnWidths(fitting: width - indentation)
        let margin = String(repeating: " ", count: indentation)
        return rows.map { cells in
            let padded = zip(cells.indices, zip(cells, widths)).map { index, cell in
                let text = cell.0.fitted(to: cell.1)
                let space = String(repeating: " ", count: cell.1 - text.count)
                return leftAligned.contains(index) ? text + space : space + text
            }
            return (margin + padded.joined(separator: "  ")).withoutTrailingSpaces
        }
    }

    /// The rows in blocks that each fit a width, with the first column in each of them.
    ///
    /// There is one block when all columns fit beside a first one of 12 characters.
    public func blocks(width: Int) -> [[String]] {
        let widths = columnWidths(fitting: .max)
        guard let first = widths.first else { return [] }
        let margin = min(first, 12)
        var blocks: [[Int]] = []
        var room = 0
        for column in widths.indices.dropFirst() {
            if blocks.isEmpty || widths[column] + 2 > room {
                blocks.append([])
                room = width - margin
            }
            blocks[blocks.count - 1].append(column)
            room -= widths[column] + 2
        }
        return (blocks.isEmpty ? [[]] : blocks).map { block in
            let aligned = block.indices.filter { leftAligned.contains(block[$0]) }.map { $0 + 1 }
            var part = TextTable(leftAligned: Set(aligned))
            for row in rows {
                part.append([row[0]] + block.filter(row.indices.contains).map { row[$0] })
            }
            return part.lines(width: width, indentation: 0)
        }
    }

    private func columnWidths(fitting width: Int) -> [Int] {
        let columns = rows.map(\.count).max() ?? 0
        var widths = (0..<columns).map { column in
            rows.compactMap { $0.indices.contains(column) ? $0[column].count : nil }.max() ?? 0
        }
        guard let first = widths.first else { return [] }
        let others = widths.dropFirst().reduce(0) { $0 + $1 + 2 }
        widths[0] = max(1, min(first, width - others))
        return widths
    }
}

extension String {
    /// The text, or as much of it as fits with `…` in place of the rest.
    public func fitted(to width: Int) -> String {
        count <= width ? self : String(prefix(max(0, width - 1))) + "…"
    }

    var withoutTrailingSpaces: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
