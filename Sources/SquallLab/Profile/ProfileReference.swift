import SquallFormat
import SquallReport

/// The format of profile files as text for people.
public enum ProfileReference {
    /// Every setting with its type, range, default and purpose; at most 80 columns wide.
    public static func text(for vocabulary: ProfileVocabulary) -> String {
        let writer = ReferenceWriter(vocabulary: vocabulary)
        let laws = Field.laws(within: 0...Int64.max).flatMap { writer.lines(of: $0, under: "") }
        let sections = [
            writer.lines(of: Field.profile, under: ""),
            ["Stages of arrivals: an object with exactly one of these", ""]
                + writer.lines(of: ArrivalShapes.all.map(\.field), under: ""),
            ["Distributions: a duration, or an object with exactly one of these", ""] + laws,
        ]
        return sections.joined(separator: [""]).map { $0 + "\n" }.joined()
    }
}

private struct ReferenceWriter {
    let vocabulary: ProfileVocabulary

    func lines(of fields: [Field], under prefix: String) -> [String] {
        fields.flatMap { lines(of: $0, under: prefix) }
    }

    func lines(of field: Field, under prefix: String) -> [String] {
        let path = prefix + field.key
        let nested: [String] =
            switch field.type {
            case .section(let fields), .oneOf(let fields): lines(of: fields, under: path + ".")
            case .list(.section(let fields), _): lines(of: fields, under: path + "[].")
            default: []
            }
        let facts = [words(for: field.type), field.presenceWords].filter { !$0.isEmpty }
        let head = ([path] + facts).joined(separator: " · ")
        return Prose.lines(head, rest: "  ")
            + Prose.lines(field.summary, first: "    ", rest: "    ")
            + nested
    }

    private func words(for type: FieldType) -> String {
        switch type {
        case .text: "text"
        case .choice(let words): words.joined(separator: " or ")
        case .app: vocabulary.apps.map(\.name).joined(separator: " or ")
        case .design: vocabulary.designs.joined(separator: " or ")
        case .endpoint: "name of an endpoint"
        case .byEndpoint(let type): "object of endpoints, each with a \(words(for: type))"
        case .journeyWeights: "object of journeys with weights"
        case .flag: "true or false"
        case .integer(let range): ValueRange.text(range)
        case .number(let range): ValueRange.text(range)
        case .seed: "0…2⁶⁴−1, also \"0x…\""
        case .duration(let range): timeWords("duration", range)
        case .distribution(let range): timeWords("distribution", range)
        case .thresholds: "object of metrics with lists of expectations"
        case .list(.endpoint, _): "list of endpoints"
        case .section: "object"
        case .oneOf: "object with exactly one of the following"
        case .list(.oneOf, _): "list of stages, see below"
        case .list: "list"
        case .tuple(let types): "[" + types.map(words).joined(separator: ", ") + "]"
        }
    }

    private func timeWords(_ name: String, _ range: ClosedRange<Int64>) -> String {
        range.upperBound < .max ? "\(name) \(ValueRange.text(durations: range))" : name
    }
}

extension Field {
    fileprivate var presenceWords: String {
        switch presence {
        case .required: "required"
        case .optional: ""
        case .otherwise(.object(let members)) where members.isEmpty: ""
        case .otherwise(let json): "default \(json.line)"
        }
    }
}
