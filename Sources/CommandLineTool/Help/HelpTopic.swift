import SquallFormat

/// Something besides the commands that there is help about; a new one is one file and one line.
struct HelpTopic: Sendable {
    /// What stands behind `squall help`.
    let name: String
    /// The text, made from the code that owns what it tells of.
    let text: @Sendable (Invocation) -> String

    /// The names that the text explains, for the completion of shells; nil where no option takes
    /// them.
    var names: (@Sendable (Invocation) -> [String])?

    /// In the order in which they are offered.
    static let all: [HelpTopic] = [
        .profile, .metrics, .thresholds, .audits, .journeys, .service, .races, .words,
        .exitCodes,
    ]

    static func named(_ name: String) -> HelpTopic? { all.first { $0.name == name } }
}

extension HelpTopic {
    /// Terms in a column, their explanations beside or, where a term is long, below them.
    static func definitions(_ entries: [(String, String)], indentation: Int = 2) -> [String] {
        let widest = min(22, entries.map(\.0.count).max() ?? 0)
        let margin = String(repeating: " ", count: indentation)
        let rest = String(repeating: " ", count: indentation + widest + 2)
        return entries.flatMap { term, text in
            guard term.count <= widest else {
                return [margin + term] + Prose.lines(text, first: rest, rest: rest)
            }
            let space = String(repeating: " ", count: widest - term.count + 2)
            return Prose.lines(text, first: margin + term + space, rest: rest)
        }
    }

    static func joined(_ lines: [String]) -> String { lines.map { $0 + "\n" }.joined() }
}
