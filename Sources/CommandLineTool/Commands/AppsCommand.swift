import Lab
import Report

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
            let tables = try designTables(of: arguments.operands)
            let text =
                arguments.has("--json")
                ? JSON.array(tables.map(\.json)).document
                : tables.map(\.text).joined(separator: "\n")
            invocation.console.write(text, to: .output)
            return .passed
        })

    private static func designTables(of names: [String]) throws -> [DesignTable] {
        let known = DesignTable.apps
        for name in names where !known.contains(name) {
            throw CommandFailure.usage(
                "there is no app '\(name)'." + Spelling.hint(for: name, among: known))
        }
        return try (names.isEmpty ? known : names).map(DesignTable.init(of:))
    }
}

extension DesignTable {
    /// The app, what it is, and a line for each question with an answer for each design.
    fileprivate var text: String {
        var table = TextTable(leftAligned: Set(1...designs.count))
        table.append([""] + designs)
        for row in rows { table.append([row.question] + row.answers) }
        let lines = ["\(app): \(about)"] + table.lines(width: 100)
        return lines.map { $0 + "\n" }.joined()
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
