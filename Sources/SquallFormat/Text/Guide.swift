/// An explanation on a terminal: paragraphs, each with the terms that it introduces.
public typealias Guide = [(text: String, terms: [(String, String)])]

extension Guide {
    /// All paragraphs, with a blank line between two.
    public var text: String {
        map { text, terms in WordWrap.lines(text) + WordWrap.definitions(terms) }
            .joined(separator: [""]).map { $0 + "\n" }.joined()
    }
}

extension WordWrap {
    /// Terms in a column, with explanations beside them or, for long terms, below; at most 80
    /// columns wide.
    public static func definitions(
        _ terms: [(String, String)], widest: Int = 22
    ) -> [String] {
        let widest = min(widest, terms.map(\.0.count).max() ?? 0)
        let margin = "  "
        let rest = String(repeating: " ", count: widest + 4)
        return terms.flatMap { term, text in
            guard term.count <= widest else {
                return [margin + term] + lines(text, first: rest, rest: rest)
            }
            let space = String(repeating: " ", count: widest - term.count + 2)
            return lines(text, first: margin + term + space, rest: rest)
        }
    }
}
