import SquallFormat
import SquallLab
import SquallProof
import SquallReport

extension Command {
    static let apps = Command(
        name: "apps", summary: "Show what each app's token design does, measured just now.",
        operands: [Operand(name: "app", count: .any, values: .words(DesignTable.apps))],
        options: [
            Option(
                name: "--json", value: .none, summary: "Print the answers as one JSON document.")
        ],
        example: "squall apps scrolly",
        perform: { arguments, invocation in
            let interruption = invocation.tool.interruption
            let names = try designNames(arguments.operands)
            let tables = try interruption.each(of: names, DesignTable.init(of:))
            let text =
                arguments.has("--json")
                ? JSON.array(tables.map(\.json)).document
                : tables.map(\.text).joined(separator: "\n")
            invocation.console.write(text, to: .output)
            if tables.count < names.count {
                invocation.console.write(
                    "interrupted: \(tables.count) of \(Units.counted(names.count, "app"))\n",
                    to: .error)
            }
            return interruption.code(otherwise: .passed)
        })

    private static func designNames(_ names: [String]) throws -> [String] {
        let known = DesignTable.apps
        for name in names where !known.contains(name) {
            throw CommandFailure.usage(
                "there is no app '\(name)'." + Spelling.hint(for: name, among: known))
        }
        return names.isEmpty ? known : names
    }
}

extension DesignTable {
    private static let width = 100
    /// How much of a question has to stay readable.
    private static let questionWidth = 40

    /// The app, what it is, and a line for each question with an answer for each design.
    ///
    /// Designs that do not fit beside the others come below them.
    fileprivate var text: String {
        let lines = ["\(app): \(about)"] + blocks.flatMap(lines)
        return lines.map { $0 + "\n" }.joined()
    }

    /// The positions of the designs that are shown beside each other.
    private var blocks: [[Int]] {
        var room = 0
        return designs.indices.reduce(into: []) { blocks, design in
            let cells = [designs[design]] + rows.map { $0.answers[design] }
            let column = 2 + (cells.map(\.count).max() ?? 0)
            if blocks.isEmpty || column > room {
                blocks.append([])
                room = DesignTable.width - DesignTable.questionWidth
            }
            blocks[blocks.count - 1].append(design)
            room -= column
        }
    }

    private func lines(of block: [Int]) -> [String] {
        var table = TextTable(leftAligned: Set(1...block.count))
        table.append([""] + block.map { designs[$0] })
        for row in rows { table.append([row.question] + block.map { row.answers[$0] }) }
        return table.lines(width: DesignTable.width)
    }

    fileprivate var json: JSON {
        .object([
            "app": .string(app), "designs": .array(designs.map(JSON.string)),
            "answers": .array(
                rows.map { row in
                    .object([
                        "question": .string(row.question),
                        "answers": .array(row.answers.map(JSON.string)),
                    ])
                }),
        ])
    }
}
