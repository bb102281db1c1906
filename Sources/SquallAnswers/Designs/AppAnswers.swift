public import SquallApps
public import SquallFormat

/// The results of all trials of one app.
public struct AppAnswers: Sendable {
    let designs: DesignTable
    private let payments: [PaymentCourse]
    private let stories: [StoryResult]

    /// Tries an app with the services of a place; only apps that are code have stories.
    ///
    /// - Throws: what stops a simulation.
    public init(of app: AppDescription, in place: DesignPlace, hasStories: Bool) throws {
        designs = try DesignTable(of: app, in: place)
        payments = try PaymentCourse.all(of: DesignSubject(app, in: place))
        stories = hasStories ? try StoryResult.all(of: app, in: place) : []
    }

    /// The answers as a document for readers.
    public var document: AnswerDocument {
        var document = AnswerDocument(kind: "App", subject: designs.app, sentence: designs.about)
        document.isBrief = true
        document.remarks = designs.remarks
        document.sections = [
            Section("", [.table(designs.table)]),
            Section("Paying, as built", [.table(paying)]),
            Section("Known defects, before and after the fix", [.table(defects)]),
        ]
        return document
    }

    private var paying: Table {
        Table(
            ofWords: ["provider"] + PaymentCourse.headings,
            payments.map { [$0.behaviour.words] + $0.cells })
    }

    private var defects: Table {
        Table(
            ofWords: ["story"] + StoryResult.headings,
            stories.map { [$0.story.title] + $0.cells })
    }

    /// The answers as one JSON document.
    public var json: JSON {
        var members = designs.json
        if !payments.isEmpty { members["payments"] = .array(payments.map(\.json)) }
        if !stories.isEmpty { members["stories"] = .array(stories.map(\.json)) }
        return .object(members)
    }
}

extension PaymentCourse {
    fileprivate var json: JSON {
        [
            "provider": .string(behaviour.rawValue), "charged": .integer(Int64(charged)),
            "booked": .integer(Int64(booked)),
            "outcome": .optional(outcome) { .string($0.label) },
            "sent": .array(sent.map(JSON.string)),
            "again": .optional(again) { .string($0.label) },
            "chargedThen": .integer(Int64(chargedThen)),
        ]
    }
}

extension StoryResult {
    fileprivate var json: JSON {
        let designs = zip([story.before, story.after], costs).map { design, cost -> JSON in
            [
                "design": .string(design), "taps": .integer(Int64(cost.taps)),
                "served": .integer(Int64(cost.served)),
                "refreshes": .integer(Int64(cost.refreshes)),
                "attempts": .integer(Int64(cost.attempts)),
                "signIns": .integer(Int64(cost.signIns)),
                "waitedNs": .integer(cost.waitedNanoseconds),
            ]
        }
        return ["story": .string(story.title), "designs": .array(designs)]
    }
}

extension DesignTable {
    /// Remarks that name designs which answer every question as the first one does.
    fileprivate var remarks: [String] {
        let alike = designs.indices.dropFirst().filter { answersAsFirst($0) }.map { designs[$0] }
        return alike.isEmpty
            ? [] : ["same results as \(designs[0]): \(alike.joined(separator: ", "))"]
    }

    /// A row for each question, with the answers of the first design and of those that differ.
    fileprivate var table: Table {
        let shown = designs.indices.filter { $0 == 0 || !answersAsFirst($0) }
        return Table(
            rows.map { row in
                [Column("question", .words)(row.question.title)]
                    + shown.map { Column(designs[$0], .words)(row.answers[$0]) }
            })
    }

    /// True for a design that answers every question as the first design does.
    private func answersAsFirst(_ design: Int) -> Bool {
        rows.allSatisfy { $0.answers[design] == $0.answers[0] }
    }

    fileprivate var json: [String: JSON] {
        let answers = rows.map { row -> JSON in
            [
                "question": .string(row.question.title),
                "answers": .array(row.answers.map(JSON.string)),
            ]
        }
        return [
            "app": .string(app), "designs": .array(designs.map(JSON.string)),
            "answers": .array(answers),
        ]
    }
}

extension Table {
    /// Rows of words under their headings.
    init(ofWords headings: [String], _ rows: [[String]]) {
        self.init(
            headings.map { Column($0, .words) }, rows.map { row in row.map { Cell($0) } })
    }
}
