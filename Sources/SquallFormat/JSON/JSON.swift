/// A JSON value without a Swift type of its own, such as a schema.
///
/// Types of their own are `Codable`; ``JSONDocument`` writes both.
public enum JSON: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// An integer that uses all 64 bits, such as a seed.
    case unsigned(UInt64)
    /// A fraction; writing one that is not finite traps.
    case number(Double)
    case string(String)
    case array([JSON])
    case object([String: JSON])

    /// The value, or null.
    public static func optional<Value>(_ value: Value?, _ write: (Value) -> JSON) -> JSON {
        value.map(write) ?? .null
    }

    /// Puts a value at a member, or into objects in it where dots lead there: `data.token`.
    public mutating func put(_ value: JSON, at path: String) {
        guard case .object(var members) = self else { return }
        if let dot = path.firstIndex(of: ".") {
            let first = String(path[..<dot])
            var inner = members[first] ?? [:]
            inner.put(value, at: String(path[path.index(after: dot)...]))
            members[first] = inner
        } else {
            members[path] = value
        }
        self = .object(members)
    }

    /// The members of an object; none for any other value.
    public var members: [String: JSON] {
        if case .object(let members) = self { members } else { [:] }
    }

    /// A text without quotes, as `--set` has it; anything else on one line.
    public var plain: String { if case .string(let text) = self { text } else { line } }

    /// The whole document, with a line feed at its end.
    public var document: String { JSONDocument.text(self) }

    /// The whole document on one line.
    public var line: String {
        switch self {
        case .null: "null"
        case .bool(let flag): "\(flag)"
        case .integer(let number): "\(number)"
        case .string(let text) where text.utf8.allSatisfy(Self.isPlain): "\"\(text)\""
        default: JSONDocument.line(self)
        }
    }

    /// True for a byte that a text has as it is; the encoder takes its time for the others.
    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x20..<0x7f).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }
}

extension JSON: Encodable {
    /// Writes the value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .unsigned(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// An integer.
    public init(integerLiteral value: Int64) { self = .integer(value) }
}

extension JSON: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    /// An array.
    public init(arrayLiteral elements: JSON...) { self = .array(elements) }
    /// An object; each name may stand there once.
    public init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(Dictionary(uniqueKeysWithValues: elements))
    }
}
