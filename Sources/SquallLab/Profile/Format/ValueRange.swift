import SquallFormat
import SquallReport

/// Ranges as messages and documentation write them: `1…10 000 000`, `1s…30d`, `1`.
enum ValueRange {
    static func text(_ range: ClosedRange<Int64>) -> String {
        text(Units.grouped(range.lowerBound), Units.grouped(range.upperBound))
    }

    static func text(_ range: ClosedRange<Double>) -> String {
        text(Units.threeDigits(range.lowerBound), Units.threeDigits(range.upperBound))
    }

    static func text(durations range: ClosedRange<Int64>) -> String {
        text(Units.exact(nanoseconds: range.lowerBound), Units.exact(nanoseconds: range.upperBound))
    }

    private static func text(_ low: String, _ high: String) -> String {
        low == high ? low : "\(low)…\(high)"
    }
}

extension FieldType {
    /// The type with its article, as in "must be a duration such as …".
    var article: String {
        switch self {
        case .flag: "true or false"
        case .integer: "a whole number"
        case .number: "a number"
        case .seed: "a number or a text like \"0x2a\""
        case .duration: "a duration in quotes, such as \"30s\""
        case .text, .choice, .app, .design, .endpoint: "a text"
        case .distribution: "a distribution"
        case .journeyWeights, .byEndpoint, .thresholds, .section, .oneOf: "an object"
        case .list, .tuple: "a list"
        }
    }
}

extension String {
    /// A sentence as the end of another: no capital, no full stop.
    var sentencePart: String {
        prefix(1).lowercased() + dropFirst().prefix(while: { $0 != "." && $0 != ";" })
    }
}

extension JSONNode {
    /// A default as if a file had said it.
    init(_ json: JSON) {
        let value: Value =
            switch json {
            case .null: .null
            case .bool(let flag): .bool(flag)
            case .integer(let number): .number("\(number)")
            case .unsigned(let number): .number("\(number)")
            case .number(let number): .number("\(number)")
            case .string(let text): .string(text)
            case .array(let elements): .array(elements.map(JSONNode.init))
            case .object(let members):
                .object(
                    members.sorted { $0.key < $1.key }.map {
                        Member(name: $0.key, place: TextPlace(), value: JSONNode($0.value))
                    })
            }
        self.init(value: value, place: TextPlace())
    }
}
