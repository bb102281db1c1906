import SquallApps
public import SquallFormat

/// The apps side by side as they were built, beside the design that is right in all of them.
///
/// Every cell is one of an app's own ``AppAnswers``.
public struct AppsAtAGlance: Sendable {
    let headings: [String]
    let rows: [[String]]

    /// Chooses from the answers of several apps.
    public init(_ apps: [AppAnswers]) {
        let tables = apps.map(\.designs)
        headings = ["as built"] + tables.map(\.app) + [Self.reference]
        rows = (tables.first?.rows ?? []).indices.filter { tables[0].rows[$0].question.isAtAGlance }
            .map {
                row in
                [tables[0].rows[row].question.title] + tables.map { $0.rows[row].answers[0] }
                    + [Self.right(tables, row)]
            }
    }

    private static let reference = "reference"

    /// The answer of the right design, where it has one for all apps that have such a call.
    private static func right(_ tables: [DesignTable], _ row: Int) -> String {
        let answers = tables.compactMap { table in
            table.designs.firstIndex(of: reference).map { table.rows[row].answers[$0] }
        }
        let known = answers.filter { $0 != "–" }
        guard let first = known.first, known.allSatisfy({ $0 == first }) else { return "–" }
        return first
    }

    /// The table as a document for readers.
    public var document: AnswerDocument {
        var document = AnswerDocument(
            kind: "Apps", subject: "",
            sentence:
                "The apps as built, one phone each. More: squall apps \(AppRegistry.example), or"
                + " squall apps --full for all of them. Public client libraries:"
                + " squall apps presets."
        )
        document.isBrief = true
        document.sections = [Section("", [.table(Table(ofWords: headings, rows))])]
        return document
    }
}
