extension JSONNode {
    /// The document as it was written, without its comments: members in their order, numbers with
    /// their digits, indented by two spaces, a line feed at its end.
    public var document: String { text(margin: "") + "\n" }

    private func text(margin: String) -> String {
        let inner = margin + "  "
        switch value {
        case .null: return "null"
        case .bool(let flag): return "\(flag)"
        case .number(let text): return text
        case .string(let text): return JSON.string(text).line
        case .array(let elements):
            let lines = elements.map { inner + $0.text(margin: inner) }
            return JSONNode.block("[", lines, "]", margin)
        case .object(let members):
            let lines = members.map {
                inner + JSON.string($0.name).line + ": " + $0.value.text(margin: inner)
            }
            return JSONNode.block("{", lines, "}", margin)
        }
    }

    private static func block(
        _ start: String, _ lines: [String], _ end: String, _ margin: String
    ) -> String {
        lines.isEmpty
            ? start + end
            : start + "\n" + lines.joined(separator: ",\n") + "\n" + margin + end
    }
}
