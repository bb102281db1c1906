public import SquallFormat
import SquallReport

/// The format of profile files as a JSON Schema, for editors.
public enum ProfileSchema {
    /// The schema, draft 2020-12, with the vocabulary's names as the values to choose from.
    public static func json(for vocabulary: ProfileVocabulary) -> JSON {
        let schema = Writer(vocabulary: vocabulary)
        var members = schema.section(Field.profile)
        members["$schema"] = "https://json-schema.org/draft/2020-12/schema"
        members["title"] = "Squall profile"
        members["$defs"] = .object([
            "duration": schema.durationType,
            "distribution": schema.distributionType,
        ])
        return .object(members)
    }
}

private struct Writer {
    let vocabulary: ProfileVocabulary

    func section(_ fields: [Field]) -> [String: JSON] {
        let properties = fields.map { ($0.key, property($0)) }
        let required = fields.filter(\.isRequired).map { JSON.string($0.key) }
        return [
            "type": "object",
            "additionalProperties": .bool(false),
            "properties": .object(Dictionary(uniqueKeysWithValues: properties)),
            "required": .array(required),
        ]
    }

    private func property(_ field: Field) -> JSON {
        var members = type(field.type)
        members["description"] = .string(field.summary + field.type.rangeRemark)
        if case .otherwise(let json) = field.presence { members["default"] = json }
        return .object(members)
    }

    private func type(_ type: FieldType) -> [String: JSON] {
        switch type {
        case .text(let length):
            [
                "type": "string", "minLength": .integer(Int64(length.lowerBound)),
                "maxLength": .integer(Int64(length.upperBound)),
            ]
        case .choice(let words): words.schema
        case .app: vocabulary.apps.map(\.name).schema
        case .design: vocabulary.designs.schema
        case .endpoint: vocabulary.endpoints.schema
        case .byEndpoint(let type): byEndpoint(type)
        case .journeyWeights: weights
        case .flag: ["type": "boolean"]
        case .integer(let range):
            [
                "type": "integer", "minimum": .integer(range.lowerBound),
                "maximum": .integer(range.upperBound),
            ]
        case .number(let range):
            [
                "type": "number", "minimum": .number(range.lowerBound),
                "maximum": .number(range.upperBound),
            ]
        case .seed: seed
        case .duration: ["$ref": "#/$defs/duration"]
        case .distribution: ["$ref": "#/$defs/distribution"]
        case .thresholds: thresholds
        case .section(let fields): section(fields)
        case .oneOf(let fields): oneOf(fields)
        case .list(let element, let count): list(element, count)
        case .tuple(let elements): tuple(elements)
        }
    }

    private func oneOf(_ fields: [Field]) -> [String: JSON] {
        ["oneOf": .array(fields.map { .object(section([$0.required])) })]
    }

    private func byEndpoint(_ value: FieldType) -> [String: JSON] {
        [
            "type": "object",
            "propertyNames": .object(vocabulary.endpoints.schema),
            "additionalProperties": .object(type(value)),
        ]
    }

    private func list(_ element: FieldType, _ count: ClosedRange<Int>) -> [String: JSON] {
        [
            "type": "array", "items": .object(type(element)),
            "minItems": .integer(Int64(count.lowerBound)),
            "maxItems": .integer(Int64(count.upperBound)),
        ]
    }

    private func tuple(_ elements: [FieldType]) -> [String: JSON] {
        [
            "type": "array", "prefixItems": .array(elements.map { .object(type($0)) }),
            "minItems": .integer(Int64(elements.count)),
            "maxItems": .integer(Int64(elements.count)),
        ]
    }

    var durationType: JSON {
        .object([
            "type": "string",
            "pattern": "^([0-9]+(\\.[0-9]+)?(d|h|m|s|ms|us|µs|ns))+$",
            "description": "A duration such as 300ms, 1.5s or 1h30m.",
        ])
    }

    var distributionType: JSON {
        let laws = oneOf(Field.laws(within: 0...Int64.max))
        return .object([
            "description": "A law for durations; a bare duration is always the same.",
            "oneOf": .array([.object(["$ref": "#/$defs/duration"]), .object(laws)]),
        ])
    }

    private var seed: [String: JSON] {
        [
            "oneOf": .array([
                .object(["type": "integer", "minimum": 0, "maximum": .unsigned(.max)]),
                .object(["type": "string", "pattern": "^(0[xX][0-9a-fA-F]{1,16}|[0-9]{1,20})$"]),
            ])
        ]
    }

    private var weights: [String: JSON] {
        let journeys = Set(vocabulary.apps.flatMap(\.journeys).map(\.name)).sorted()
        let weight = JSON.object([
            "type": "number", "exclusiveMinimum": 0, "maximum": 1_000_000,
        ])
        return [
            "type": "object", "minProperties": 1, "additionalProperties": .bool(false),
            "properties": .object(Dictionary(uniqueKeysWithValues: journeys.map { ($0, weight) })),
        ]
    }

    private var thresholds: [String: JSON] {
        let metrics = MetricCatalogue.builtIn.names.joined(separator: "|")
        return [
            "type": "object",
            "propertyNames": .object(["pattern": .string("^(\(metrics))(\\{.*\\})?$")]),
            "additionalProperties": .object([
                "type": "array", "items": .object(["type": "string"]),
            ]),
        ]
    }
}

extension [String] {
    fileprivate var schema: [String: JSON] {
        ["type": "string", "enum": .array(map(JSON.string))]
    }
}

extension Field {
    var isRequired: Bool {
        if case .required = presence { true } else { false }
    }

    fileprivate var required: Field { Field(key, type, .required, summary) }
}

extension FieldType {
    /// The range of durations, which a schema can only say in words.
    fileprivate var rangeRemark: String {
        switch self {
        case .duration(let range) where range.upperBound < .max,
            .distribution(let range) where range.upperBound < .max:
            " (\(ValueRange.text(durations: range)))"
        default: ""
        }
    }
}
