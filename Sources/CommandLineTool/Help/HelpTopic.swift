import SquallFormat

/// A topic of the help besides the commands; a new one is one file and one line.
struct HelpTopic: Sendable {
    /// Its name after `squall help`.
    let name: String
    /// The text, made from the code that it describes.
    let text: @Sendable (Invocation) -> String

    /// The names that the text explains, for shell completion; nil where no option takes them as
    /// values.
    var names: (@Sendable (Invocation) -> [String])?

    /// All topics, in the order of the help.
    static let all: [HelpTopic] = [
        .profile, .metrics, .thresholds, .audits, .journeys, .service, .races, .words,
        .exitCodes,
    ]

    static func named(_ name: String) -> HelpTopic? { all.first { $0.name == name } }
}

extension HelpTopic {
    /// Terms in a column, with explanations beside them or, for long terms, below.
    static func definitions(_ entries: [(String, String)], widest: Int = 22) -> [String] {
        let widest = min(widest, entries.map(\.0.count).max() ?? 0)
        let margin = "  "
        let rest = String(repeating: " ", count: widest + 4)
        return entries.flatMap { term, text in
            guard term.count <= widest else {
                return [margin + term] + Prose.lines(text, first: rest, rest: rest)
            }
            let space = String(repeating: " ", count: widest - term.count + 2)
            return Prose.lines(text, first: margin + term + space, rest: rest)
        }
    }
}
