// What is missing, or is of another kind, reads as null, zero or nothing: a page is drawn from the
// files of any version.
extension JSON {
    /// The member of an object; null where there is none.
    public subscript(_ name: String) -> JSON {
        if case .object(let members) = self { members[name] ?? .null } else { .null }
    }

    /// The elements of an array.
    public var elements: [JSON] {
        if case .array(let elements) = self { elements } else { [] }
    }

    /// A string's text.
    public var text: String {
        if case .string(let text) = self { text } else { "" }
    }

    /// A whole number.
    public var integer: Int64 {
        switch self {
        case .integer(let value): value
        case .unsigned(let value): Int64(clamping: value)
        default: 0
        }
    }

    /// Any number; nil where there is none.
    public var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .unsigned(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    /// Whether it is true.
    public var isTrue: Bool { self == .bool(true) }
}

extension JSON: Decodable {
    /// Reads any document.
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let flag = try? value.decode(Bool.self) {
            self = .bool(flag)
        } else if let integer = try? value.decode(Int64.self) {
            self = .integer(integer)
        } else if let unsigned = try? value.decode(UInt64.self) {
            self = .unsigned(unsigned)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .string(text)
        } else if let elements = try? value.decode([JSON].self) {
            self = .array(elements)
        } else {
            self = .object(try value.decode([String: JSON].self))
        }
    }
}
