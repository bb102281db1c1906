/// A value in a JSON text, with its position.
public struct JSONNode: Hashable, Sendable {
    /// The value.
    public let value: Value
    /// Where it begins.
    public let place: TextPlace

    /// A value at a place.
    public init(value: Value, place: TextPlace) {
        self.value = value
        self.place = place
    }

    /// The kinds of value.
    public enum Value: Hashable, Sendable {
        /// `null`.
        case null
        /// `true` or `false`.
        case bool(Bool)
        /// A number as it was written, so that no digit is lost before its type is known.
        case number(String)
        /// A string without its quotes and escapes.
        case string(String)
        /// A list.
        case array([JSONNode])
        /// An object; its names may repeat.
        case object([Member])
    }

    /// A name and its value; an object keeps them in the order of the text.
    public struct Member: Hashable, Sendable {
        /// Its name.
        public let name: String
        /// Where the name begins.
        public let place: TextPlace
        /// Its value.
        public let value: JSONNode

        /// A member at a place.
        public init(name: String, place: TextPlace, value: JSONNode) {
            self.name = name
            self.place = place
            self.value = value
        }
    }

    /// The value of a member; nil where there is none.
    public subscript(name: String) -> JSONNode? {
        guard case .object(let members) = value else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// The value of a member, or of one in an object in it where dots lead there: `data.token`.
    public func member(at path: String) -> JSONNode? {
        if let own = self[path] { return own }
        guard let dot = path.firstIndex(of: ".") else { return nil }
        return self[String(path[..<dot])]?.member(at: String(path[path.index(after: dot)...]))
    }

    /// An element; nil where there is none.
    subscript(index: Int) -> JSONNode? {
        elements.indices.contains(index) ? elements[index] : nil
    }

    /// The elements of a list; none for any other value.
    public var elements: [JSONNode] {
        if case .array(let elements) = value { elements } else { [] }
    }

    /// The members of an object; none for any other value.
    public var members: [Member] {
        if case .object(let members) = value { members } else { [] }
    }

    /// The text of a string; nil for any other value.
    public var string: String? { if case .string(let text) = value { text } else { nil } }

    /// The text of a member that is a string; nil where there is none.
    public func text(_ name: String) -> String? { self[name]?.string }

    /// A short description of the value, for messages.
    public var summary: String {
        switch value {
        case .null: "null"
        case .bool(let flag): "\(flag)"
        case .number(let text): text.excerpt()
        case .string(let text): "\"\(text.excerpt())\""
        case .array(let elements): elements.isEmpty ? "an empty list" : "a list"
        case .object(let members): members.isEmpty ? "an empty object" : "an object"
        }
    }
}

/// A line and a column, both counted from 1.
public struct TextPlace: Hashable, Sendable {
    /// The line.
    public var line: Int
    /// The column, in characters.
    public var column: Int

    /// A place in a text; the default is the first character.
    public init(line: Int = 1, column: Int = 1) {
        self.line = line
        self.column = column
    }
}

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
