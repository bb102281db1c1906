/// Rows of text in aligned columns that fit a given width.
///
/// The first column is left-aligned and is shortened, with `…`, when a row would be too wide, as
/// far as its different texts stay different. All other columns keep their content, right-aligned
/// unless said otherwise.
public struct TextTable {
    private var rows: [[String]] = []
    private let leftAligned: Set<Int>

    /// A table; the columns with these indices, and the first, are left-aligned.
    public init(leftAligned: Set<Int> = []) {
        self.leftAligned = leftAligned.union([0])
    }

    /// Adds a row; missing cells at the end are empty.
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
        let keepsEnds = widths.first.map { mergesRows(cutTo: $0, String.fitted) } ?? false
        return rows.map { cells in
            let padded = zip(cells.indices, zip(cells, widths)).map { index, cell in
                let (whole, width) = cell
                let text = keepsEnds ? whole.fittedInside(to: width) : whole.fitted(to: width)
                let space = String(repeating: " ", count: width - text.count)
                return leftAligned.contains(index) ? text + space : space + text
            }
            return (margin + padded.joined(separator: "  ")).withoutTrailingSpaces
        }
    }

    /// The rows in blocks that each fit a width, with the first column in each block.
    ///
    /// There is one block if all columns fit beside a first column of `margin` characters. The
    /// first column is cut only as far as there would be more blocks otherwise. A column in
    /// `joined` is in the block of the column before it.
    public func blocks(
        width: Int, margin: Int = 12, joined: Set<Int> = []
    ) -> [[String]] {
        let widths = columnWidths(fitting: .max)
        guard let first = widths.first else { return [] }
        var blocks = columns(widths, in: width - min(first, margin), joined)
        for whole in stride(from: first, to: min(first, margin), by: -1) {
            let roomy = columns(widths, in: width - whole, joined)
            if roomy.count == blocks.count {
                blocks = roomy
                break
            }
        }
        return blocks.map { block in
            let aligned = block.indices.filter { leftAligned.contains(block[$0]) }.map { $0 + 1 }
            var part = TextTable(leftAligned: Set(aligned))
            for row in rows {
                part.append([row[0]] + block.filter(row.indices.contains).map { row[$0] })
            }
            return part.lines(width: width, indentation: 0)
        }
    }

    /// The columns behind the first in blocks that each fit a width.
    private func columns(_ widths: [Int], in width: Int, _ joined: Set<Int>) -> [[Int]] {
        var blocks: [[Int]] = []
        var room = 0
        for column in widths.indices.dropFirst() {
            var needed = widths[column] + 2
            for next in widths.indices.dropFirst(column + 1).prefix(while: joined.contains) {
                needed += widths[next] + 2
            }
            if blocks.isEmpty || needed > room, !joined.contains(column) {
                blocks.append([])
                room = width
            }
            blocks[blocks.count - 1].append(column)
            room -= widths[column] + 2
        }
        return blocks.isEmpty ? [[]] : blocks
    }

    private func columnWidths(fitting width: Int) -> [Int] {
        let columns = rows.map(\.count).max() ?? 0
        var widths = (0..<columns).map { column in
            rows.compactMap { $0.indices.contains(column) ? $0[column].count : nil }.max() ?? 0
        }
        guard let first = widths.first else { return [] }
        let others = widths.dropFirst().reduce(0) { $0 + $1 + 2 }
        widths[0] = max(1, min(first, width - others))
        while widths[0] < first, mergesRows(cutTo: widths[0], String.fittedInside) {
            widths[0] += 1
        }
        return widths
    }

    /// True if shortening would make different first texts equal.
    private func mergesRows(cutTo width: Int, _ cut: (String) -> (Int) -> String) -> Bool {
        let texts = Set(rows.compactMap(\.first))
        return Set(texts.map { cut($0)(width) }).count < texts.count
    }
}

extension String {
    /// The text, or as much of it as fits with `…` in place of the rest.
    public func fitted(to width: Int) -> String {
        count <= width ? self : String(prefix(max(0, width - 1))) + "…"
    }

    /// The text, or as much of its beginning and its end as fits with `…` between them.
    func fittedInside(to width: Int) -> String {
        guard count > width else { return self }
        let rest = max(0, width - 1)
        return String(prefix(rest - rest / 2)) + "…" + String(suffix(rest / 2))
    }

    /// A line as editors save it.
    public var withoutTrailingSpaces: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
