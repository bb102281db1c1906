import SquallApps
import SquallFormat
import SquallLab
import SquallProfile
import SquallProof
import SquallReport

extension Command {
    static let apps = Command(
        name: "apps",
        summary: "Measure how often each token design of an app refreshes, sends and waits.",
        operands: [Operand(name: "app", count: .any, values: .wordsOrFiles(DesignTable.apps))],
        options: [
            Option(
                name: "--json", value: .none, summary: "Print the answers as one JSON document.")
        ],
        example: "squall apps scrolly",
        perform: { arguments, invocation in
            let interruption = invocation.tool.interruption
            let candidates = try candidates(arguments.operands, invocation)
            let tables = try interruption.each(of: candidates) { candidate in
                let place = candidate.place.stopping { interruption.isRequested }
                return try AppAnswers(
                    designs: DesignTable(of: candidate.app, in: place),
                    payments: PaymentTable(of: candidate.app, in: place),
                    stories: candidate.isRegistered
                        ? StoryTable(of: candidate.app, in: place) : nil)
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
        let place: DesignPlace
        /// Whether it is code, and not declared.
        var isRegistered = false
    }

    /// The apps of some names, and those that profiles declare; all that are built in for none.
    private static func candidates(
        _ words: [String], _ invocation: Invocation
    ) throws -> [Candidate] {
        try (words.isEmpty ? DesignTable.apps : words).flatMap { word -> [Candidate] in
            if let app = AppRegistry.app(named: word), DesignTable.apps.contains(word) {
                return [Candidate(app: app, place: .contract, isRegistered: true)]
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
            return declared.map { Candidate(app: $0, place: DesignPlace(profile)) }
        }
    }
}

/// Everything that is known of one app.
private struct AppAnswers {
    let designs: DesignTable
    let payments: PaymentTable
    let stories: StoryTable?

    var text: String { designs.text + paying + developers }

    private var paying: String {
        table(
            "paying, as built", PaymentTable.headings,
            payments.rows.map { [$0.deed.words] + $0.cells })
    }

    private var developers: String {
        table(
            "what its developers went through", StoryTable.headings,
            (stories?.rows ?? []).map { [$0.title] + $0.cells })
    }

    /// A table below the one of the designs; nothing without a row.
    private func table(_ title: String, _ headings: [String], _ rows: [[String]]) -> String {
        guard !rows.isEmpty else { return "" }
        var table = TextTable(leftAligned: Set(1...headings.count))
        table.append([title] + headings)
        rows.forEach { table.append($0) }
        let blocks = table.blocks(width: DesignTable.width, margin: DesignTable.questionWidth)
        return blocks.map { "\n" + $0.map { $0 + "\n" }.joined() }.joined()
    }

    var json: JSON {
        guard case .object(var members) = designs.json else { return designs.json }
        if !payments.rows.isEmpty { members["payments"] = .array(payments.rows.map(\.json)) }
        if let stories, !stories.rows.isEmpty {
            members["stories"] = .array(stories.rows.map(\.json))
        }
        return .object(members)
    }
}

extension PaymentTable.Row {
    fileprivate var json: JSON {
        .object([
            "provider": .string(deed.rawValue), "charged": .integer(Int64(course.charged)),
            "booked": .integer(Int64(course.booked)),
            "outcome": .optional(course.outcome) { .string($0.label) },
            "sent": .array(course.sent.map(JSON.string)),
            "again": .optional(course.again) { .string($0.label) },
            "chargedThen": .integer(Int64(course.chargedThen)),
        ])
    }
}

extension StoryTable.Row {
    fileprivate var json: JSON {
        .object([
            "story": .string(title),
            "designs": .array(
                zip(designs, costs).map { design, cost in
                    .object([
                        "design": .string(design), "taps": .integer(Int64(cost.taps)),
                        "served": .integer(Int64(cost.served)),
                        "refreshes": .integer(Int64(cost.refreshes)),
                        "attempts": .integer(Int64(cost.attempts)),
                        "signIns": .integer(Int64(cost.signIns)),
                        "waitedNs": .integer(cost.waitedNanoseconds),
                    ])
                }),
        ])
    }
}

extension DesignTable {
    fileprivate static let width = 100
    /// How much of a question has to stay readable.
    fileprivate static let questionWidth = 40

    /// The app, what it is, and a line for each question with an answer for each design.
    ///
    /// Designs that do not fit beside the others come below them; those that answer everything as
    /// the first one does are only named.
    fileprivate var text: String {
        let alike = designs.indices.dropFirst().filter { answersAsFirst($0) }.map { designs[$0] }
        let remark =
            alike.isEmpty
            ? [] : ["  answers all of it as \(designs[0]) does: \(alike.joined(separator: ", "))"]
        let lines = ["\(app): \(about)"] + blocks.flatMap(lines) + remark
        return lines.map { $0 + "\n" }.joined()
    }

    /// The positions of the designs that are shown beside each other.
    private var blocks: [[Int]] {
        var room = 0
        let shown = designs.indices.filter { $0 == 0 || !answersAsFirst($0) }
        return shown.reduce(into: []) { blocks, design in
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

    /// Whether a design answers every question as the first one does.
    private func answersAsFirst(_ design: Int) -> Bool {
        rows.allSatisfy { $0.answers[design] == $0.answers[0] }
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
