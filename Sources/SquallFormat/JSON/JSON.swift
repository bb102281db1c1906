/// A JSON value that no type of ours describes, such as a schema.
///
/// What has a type of its own is `Codable`; ``JSONDocument`` writes both.
public enum JSON: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// For numbers that use all 64 bits, such as seeds.
    case unsigned(UInt64)
    /// A fraction; writing one that is not finite is a mistake that stops the program.
    case number(Double)
    case string(String)
    case array([JSON])
    case object([String: JSON])

    /// The value, or null.
    public static func optional<Value>(_ value: Value?, _ write: (Value) -> JSON) -> JSON {
        value.map(write) ?? .null
    }

    /// The whole document, with a line feed at its end.
    public var document: String { JSONDocument.text(self) }

    /// The whole document on one line.
    public var line: String { JSONDocument.line(self) }
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
