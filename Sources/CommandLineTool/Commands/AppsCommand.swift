import SquallApps
import SquallFormat
import SquallLab
import SquallProfile
import SquallProof
import SquallReport

extension Command {
    static let apps = Command(
        name: "apps", summary: "Show what each app's token design does, measured just now.",
        operands: [Operand(name: "app", count: .any, values: .wordsOrFiles(DesignTable.apps))],
        options: [
            Option(
                name: "--json", value: .none, summary: "Print the answers as one JSON document.")
        ],
        example: "squall apps scrolly",
        perform: { arguments, invocation in
            let interruption = invocation.tool.interruption
            let candidates = try candidates(arguments.operands, invocation)
            let tables = try interruption.each(of: candidates) {
                try DesignTable(
                    of: $0.app, in: $0.place.stopping { interruption.isRequested })
            }
            let text =
                arguments.has("--json")
                ? JSON.array(tables.map(\.json)).document
                : tables.map(\.text).joined(separator: "\n")
            invocation.console.write(text, to: .output)
            if tables.count < candidates.count {
                invocation.console.write(
                    "interrupted: \(tables.count) of \(Units.counted(candidates.count, "app"))\n",
                    to: .error)
            }
            return interruption.code(otherwise: .passed)
        })

    /// An app, and what it meets in its drills.
    private struct Candidate: Sendable {
        let app: AppDescription
        let place: DrillPlace
    }

    /// The apps of some names, and those that profiles declare; all that are built in for none.
    private static func candidates(
        _ words: [String], _ invocation: Invocation
    ) throws -> [Candidate] {
        try (words.isEmpty ? DesignTable.apps : words).flatMap { word -> [Candidate] in
            if let app = AppRegistry.app(named: word), DesignTable.apps.contains(word) {
                return [Candidate(app: app, place: .contract)]
            }
            guard word == "-" || word.contains("/") || word.hasSuffix(".json") else {
                throw CommandFailure.usage(
                    "there is no app '\(word)'." + Spelling.hint(for: word, among: DesignTable.apps)
                        + " The apps that a profile declares are asked by its file.")
            }
            let file = try ProfileFile(word, console: invocation.console)
            let profile = try file.profile(
                invocation.tool.runner.vocabulary, console: invocation.console, []
            ).profile
            let declared = profile.declaredApps
            guard !declared.isEmpty else {
                throw CommandFailure.usage(
                    "\(file.path) declares no app in /apps; squall apps shows those built in")
            }
            return declared.map { Candidate(app: $0, place: DrillPlace(profile)) }
        }
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
