import SquallApps
import SquallDocument
import SquallFormat
import SquallLab
import SquallProof
import SquallReport

extension Command {
    static let apps = Command(
        name: "apps",
        summary: "Measure how often each token design of an app refreshes, sends and waits.",
        operands: [Operand(name: "app", count: .any, values: .wordsOrFiles(DesignTable.apps))],
        options: [
            Option("--json", "Print the answers as one JSON document."),
            .noColor,
        ],
        example: "squall apps scrolly",
        perform: { try AppsCommand(invocation: $0).perform() })
}

/// Tries apps one after the other, and shows what came of it.
private struct AppsCommand: PerformedCommand {
    let invocation: Invocation

    func perform() throws -> ExitCode {
        let candidates = try candidates()
        let tables = try interruption.each(of: candidates) { candidate in
            let place = candidate.place.stopping(when: isStopped)
            return try AppAnswers(
                designs: DesignTable(of: candidate.app, in: place),
                payments: PaymentTable(of: candidate.app, in: place),
                stories: candidate.isRegistered ? StoryTable(of: candidate.app, in: place) : nil)
        }
        if arguments.has("--json") {
            console.write(JSON.array(tables.map(\.json)).document, to: .output)
        } else {
            for (place, table) in tables.enumerated() {
                if place > 0 { console.write("\n", to: .output) }
                show(table.document)
            }
        }
        tellInterrupted(tables.count, of: candidates.count, "app")
        return interruption.code(otherwise: .passed)
    }

    /// An app, and the services that it is tried with.
    private struct Candidate: Sendable {
        let app: AppDescription
        let place: DesignPlace
        /// Whether the app is code, as opposed to declared in a profile.
        var isRegistered = false
    }

    /// The apps that the words name, built in or declared in profiles; all built-in ones for none.
    private func candidates() throws -> [Candidate] {
        let words = arguments.operands
        return try (words.isEmpty ? DesignTable.apps : words).flatMap { word -> [Candidate] in
            if let app = AppRegistry.app(named: word), DesignTable.apps.contains(word) {
                return [Candidate(app: app, place: .contract, isRegistered: true)]
            }
            guard word == "-" || ProfileFile.isPath(word) else {
                throw CommandFailure.usage(
                    "there is no app '\(word)'." + Spelling.hint(for: word, among: DesignTable.apps)
                        + " The apps that a profile declares are asked by its file.")
            }
            let file = try file(word)
            let profile = try profile(in: file).profile
            let declared = profile.declaredApps
            guard !declared.isEmpty else {
                throw CommandFailure.usage(
                    "\(file.path) declares no app in /apps; squall apps shows those built in")
            }
            return declared.map { Candidate(app: $0, place: DesignPlace(profile)) }
        }
    }
}

/// Everything known about one app.
private struct AppAnswers {
    let designs: DesignTable
    let payments: PaymentTable
    let stories: StoryTable?

    var document: AnswerDocument {
        var document = AnswerDocument(kind: "App", subject: designs.app, sentence: designs.about)
        document.isBrief = true
        document.remarks = designs.remarks
        document.sections = [
            Section("", [.table(designs.table)]),
            Section(
                "Paying, as built",
                [
                    table(
                        "provider", PaymentTable.headings,
                        payments.rows.map { [$0.behaviour.words] + $0.cells })
                ]),
            Section(
                "What its developers went through",
                [
                    table(
                        "story", StoryTable.headings,
                        (stories?.rows ?? []).map { [$0.title] + $0.cells })
                ]),
        ]
        return document
    }

    private func table(_ name: String, _ headings: [String], _ rows: [[String]]) -> Block {
        let columns = ([name] + headings).map { Column($0, .words) }
        return .table(Table(columns, rows.map { row in row.map { Cell($0) } }))
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
            "provider": .string(behaviour.rawValue), "charged": .integer(Int64(course.charged)),
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
    /// Remarks that name designs which answer every question as the first one does.
    fileprivate var remarks: [String] {
        let alike = designs.indices.dropFirst().filter { answersAsFirst($0) }.map { designs[$0] }
        return alike.isEmpty
            ? [] : ["answers all of it as \(designs[0]) does: \(alike.joined(separator: ", "))"]
    }

    /// A row for each question, with the answers of the first design and of those that differ.
    fileprivate var table: Table {
        let shown = designs.indices.filter { $0 == 0 || !answersAsFirst($0) }
        return Table(
            rows.map { row in
                [Column("question", .words)(row.question)]
                    + shown.map { Column(designs[$0], .words)(row.answers[$0]) }
            })
    }

    /// Whether a design answers every question as the first design does.
    private func answersAsFirst(_ design: Int) -> Bool {
        rows.allSatisfy { $0.answers[design] == $0.answers[0] }
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
