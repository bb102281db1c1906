/// A value in a JSON text, with the place where it stands.
struct JSONNode: Hashable, Sendable {
    let value: Value
    let place: TextPlace

    enum Value: Hashable, Sendable {
        case null
        case bool(Bool)
        /// The number as it was written, so that no digit is lost before its use is known.
        case number(String)
        case string(String)
        case array([JSONNode])
        case object([Member])
    }

    /// A name and its value; an object keeps them in the order of the text.
    struct Member: Hashable, Sendable {
        let name: String
        let place: TextPlace
        let value: JSONNode
    }

    subscript(name: String) -> JSONNode? {
        guard case .object(let members) = value else { return nil }
        return members.first { $0.name == name }?.value
    }

    subscript(index: Int) -> JSONNode? {
        guard case .array(let elements) = value, elements.indices.contains(index) else {
            return nil
        }
        return elements[index]
    }

    /// The value in a few words, for messages.
    var summary: String {
        switch value {
        case .null: "null"
        case .bool(let flag): "\(flag)"
        case .number(let text): text
        case .string(let text): text.count <= 40 ? "\"\(text)\"" : "\"\(text.prefix(39))…\""
        case .array(let elements): elements.isEmpty ? "an empty list" : "a list"
        case .object(let members): members.isEmpty ? "an empty object" : "an object"
        }
    }
}

/// A line and a column, both counted from 1.
struct TextPlace: Hashable, Sendable {
    var line = 1
    var column = 1
}
