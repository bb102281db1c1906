/// A JSON document that is written the same way every time.
///
/// Names are sorted, indentation is two spaces, lines end in LF; integers keep all their digits and
/// fractions are the shortest text that reads back as the same number.
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
    public var document: String {
        var text = ""
        write(to: &text, indentation: "\n")
        return text + "\n"
    }

    /// The whole document on one line.
    public var line: String {
        var text = ""
        write(to: &text, indentation: nil)
        return text
    }

    /// Writes the value; without an indentation, which begins with a line feed, on one line.
    private func write(to text: inout String, indentation: String?) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .integer(let value): text += "\(value)"
        case .unsigned(let value): text += "\(value)"
        case .number(let value):
            precondition(value.isFinite, "JSON has no number for \(value)")
            text += "\(value)"
        case .string(let value): JSON.write(value, to: &text)
        case .array(let elements):
            JSON.write(elements, "[", "]", to: &text, indentation) { element, text, deeper in
                element.write(to: &text, indentation: deeper)
            }
        case .object(let members):
            let sorted = members.sorted { $0.key < $1.key }
            JSON.write(sorted, "{", "}", to: &text, indentation) { member, text, deeper in
                JSON.write(member.key, to: &text)
                text += ": "
                member.value.write(to: &text, indentation: deeper)
            }
        }
    }

    private static func write<Element>(
        _ elements: [Element], _ open: String, _ close: String, to text: inout String,
        _ indentation: String?, each write: (Element, inout String, String?) -> Void
    ) {
        let deeper = indentation.map { $0 + "  " }
        text += open
        for (position, element) in elements.enumerated() {
            let space = deeper ?? (position == 0 ? "" : " ")
            text += (position == 0 ? "" : ",") + space
            write(element, &text, deeper)
        }
        text += (elements.isEmpty ? "" : indentation ?? "") + close
    }

    private static func write(_ string: String, to text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\0"..<" ", "\u{7f}", "\u{2028}", "\u{2029}": text += escaped(scalar)
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
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
