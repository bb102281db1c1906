import Foundation
import SquallFormat

/// A table of page or text: the list whose rows it shows, and what its columns show of them.
struct NumberTable: Sendable {
    let rows: @Sendable (JSONNode) -> [NumberColumn.Row]
    let columns: [String: NumberColumn]

    /// A table of a list of the summary.
    init(_ way: String, _ columns: [String: NumberColumn]) {
        self.init({ $0.at(way)?.list.map { [$0] } ?? [] }, columns)
    }

    /// A table of lists that stand in the rows of another.
    init(_ way: String, each inner: String, _ columns: [String: NumberColumn]) {
        self.init(
            { summary in
                (summary.at(way)?.list ?? []).flatMap { outer in
                    (outer.at(inner)?.list ?? []).map { [$0, outer] }
                }
            }, columns)
    }

    /// A table of rows.
    init(
        _ rows: @escaping @Sendable (JSONNode) -> [NumberColumn.Row],
        _ columns: [String: NumberColumn]
    ) {
        self.rows = rows
        self.columns = columns
    }
}

extension NumberBook {
    /// Holds shown rows against those of the summary, which may be more but stand in their order.
    mutating func check(
        _ table: NumberTable, _ headings: [String], _ shown: [[String: String]], at place: String
    ) {
        var rest = table.rows(summary)[...]
        for cells in shown {
            let keys = headings.filter { table.columns[$0]?.isKey == true && cells[$0] != nil }
            let row = rest.firstIndex { row in
                keys.allSatisfy { key in
                    table.columns[key]?.texts(row).contains { $0.isShown(by: cells[key] ?? "") }
                        ?? false
                }
            }
            guard let row else {
                refuse("\(place): no row of the summary is \(keys.map { cells[$0] ?? "" })")
                continue
            }
            for heading in headings where cells[heading] != nil {
                guard let column = table.columns[heading], !column.isKey else { continue }
                let name = keys.map { cells[$0] ?? "" }.joined(separator: ", ")
                expect(
                    cells[heading] ?? "", among: column.texts(rest[row]),
                    at: "\(place), \(heading) of \(name)")
            }
            rest = rest[(row + 1)...]
        }
    }
}

extension String {
    /// Whether a cell shows this name, which may have been cut.
    fileprivate func isShown(by cell: String) -> Bool {
        let cell = cell.trimmingCharacters(in: .whitespaces)
        return cell == self || cell.hasSuffix("…") && hasPrefix(cell.dropLast())
    }
}
