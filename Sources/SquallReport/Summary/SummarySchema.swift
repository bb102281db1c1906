public import SquallFormat

/// The format of `summary.json` as a JSON Schema, derived from the summary's types.
public enum SummarySchema {
    /// The schema, draft 2020-12, of runs with a catalogue's metrics.
    public static func json(for catalogue: MetricCatalogue) -> JSON {
        guard let schema = try? SchemaProbe.probe(RunSummary.self).schema,
            case .object(var rules) = schema, case .object(var members)? = rules["properties"]
        else { preconditionFailure("a summary cannot be read by what tells its schema") }
        // The members of a series depend on its metric.
        members["metrics"] = [
            "type": "array",
            "items": .object(members: [
                "name": .words(catalogue.names),
                "type": .words(Metric.Kind.allCases.map(\.rawValue)),
                "unit": .words(Set(Metric.Kind.allCases.map(\.unit)).sorted()),
                "tags": ["type": "object"], "values": ["type": "object"],
            ]),
        ]
        rules["properties"] = .object(members)
        rules["$schema"] = "https://json-schema.org/draft/2020-12/schema"
        rules["title"] = "Squall run summary"
        return .object(rules)
    }
}

extension SummaryVersion: SchemaKnown {
    static var sample: SummaryVersion { SummaryVersion() }
    static var schema: JSON { .object(["const": .integer(current)]) }
}

extension Verdict: SchemaKnown {
    static var sample: Verdict { .passed }
    static var schema: JSON { .words(RunSummary.verdicts.map(\.rawValue)) }
}

extension RunDigest: SchemaKnown {
    static var sample: RunDigest { RunDigest(0) }
    static var schema: JSON { ["type": "string", "pattern": "^[0-9a-f]{16}$"] }
}

/// A tree has any depth.
extension AttemptTree: SchemaKnown {
    static var sample: AttemptTree { AttemptTree("", attempts: 0) }
    static var schema: JSON { ["type": "object"] }
}

/// The version of `summary.json`; it rises when a member is removed or changes its meaning.
struct SummaryVersion: Sendable {
    static let current: Int64 = 6
}

extension SummaryVersion: Codable {
    /// Reads a version that this build knows.
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let version = try container.decode(Int64.self)
        guard version == SummaryVersion.current else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "this squall reads version \(SummaryVersion.current), got"
                    + " \(version); use the squall that wrote the file")
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(SummaryVersion.current)
    }
}

/// A type with a JSON form that its members do not describe, such as one of some words.
protocol SchemaKnown {
    /// Any valid value.
    static var sample: Self { get }
    /// The schema of its JSON form.
    static var schema: JSON { get }
}

/// Finds the JSON Schema of a type by decoding it: the members that it reads, their types, and
/// those that may be null.
final class SchemaProbe: Decoder {
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]
    private var members: [String: JSON] = [:]
    private var value: JSON?
    private var isNullable = false
    private let numbers: Numbers

    /// The numbers for values; each is used once.
    private final class Numbers {
        var last: Int64 = 1_000
    }

    private init(_ numbers: Numbers) { self.numbers = numbers }

    /// Decodes a value of a type, with a text or number in each place and one element in each list,
    /// and returns it with its schema; no number occurs twice.
    ///
    /// - Throws: what the type throws when it accepts none of them.
    static func probe<Value: Decodable>(_ type: Value.Type) throws -> (value: Value, schema: JSON) {
        try SchemaProbe(Numbers()).probe(type)
    }

    private func probe<Value: Decodable>(_ type: Value.Type) throws -> (Value, JSON) {
        if let known = leaf(type), let value = known.value as? Value {
            return (value, known.schema)
        }
        let inner = SchemaProbe(numbers)
        return (try Value(from: inner), inner.schema)
    }

    private func number() -> Int64 {
        numbers.last += 1
        return numbers.last
    }

    private func leaf(_ type: any Decodable.Type) -> (value: Any, schema: JSON)? {
        switch type {
        case let known as any SchemaKnown.Type: (known.sample, known.schema)
        case let words as any (CaseIterable & Decodable).Type: words.anyWord
        case is String.Type: ("", ["type": "string"])
        case is Bool.Type: (false, ["type": "boolean"])
        case is Double.Type: (Double(number()), ["type": "number"])
        case is Int64.Type: (number(), ["type": "integer", "minimum": 0])
        case is UInt64.Type: (UInt64(number()), ["type": "integer", "minimum": 0])
        case is Int.Type: (Int(number()), ["type": "integer", "minimum": 0])
        default: nil
        }
    }

    private var schema: JSON {
        let own = value ?? .object(members: members)
        guard isNullable, case .object(var rules) = own else { return own }
        if case .array(let words)? = rules["enum"] { rules["enum"] = .array(words + [.null]) }
        if let type = rules["type"] { rules["type"] = .array([type, "null"]) }
        return .object(rules)
    }

    func container<Key>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Members(probe: self))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer { Values(probe: self, isList: true) }

    func singleValueContainer() -> any SingleValueDecodingContainer {
        Values(probe: self, isList: false)
    }

    /// The members of an object; each one exists.
    private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let probe: SchemaProbe
        let codingPath: [any CodingKey] = []
        let allKeys: [Key] = []

        func contains(_ key: Key) -> Bool { true }
        func decodeNil(forKey key: Key) -> Bool { false }

        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            let (value, schema) = try probe.probe(type)
            probe.members[key.withShortUnit.stringValue] = schema
            return value
        }

        func nestedContainer<Nested>(
            keyedBy type: Nested.Type, forKey key: Key
        ) -> KeyedDecodingContainer<Nested> { probe.container(keyedBy: type) }

        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer {
            probe.unkeyedContainer()
        }

        func superDecoder() -> any Decoder { probe }
        func superDecoder(forKey key: Key) -> any Decoder { probe }
    }

    /// A single value, or a list with one element.
    private final class Values: UnkeyedDecodingContainer, SingleValueDecodingContainer {
        let probe: SchemaProbe
        let isList: Bool
        let codingPath: [any CodingKey] = []
        let count: Int? = 1
        var currentIndex = 0
        var isAtEnd: Bool { currentIndex == 1 }

        init(probe: SchemaProbe, isList: Bool) {
            self.probe = probe
            self.isList = isList
        }

        func decodeNil() -> Bool {
            probe.isNullable = !isList
            return false
        }

        func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            let (value, schema) = try probe.probe(type)
            probe.value = isList ? ["type": "array", "items": schema] : schema
            currentIndex = 1
            return value
        }

        func nestedContainer<Nested>(
            keyedBy type: Nested.Type
        ) -> KeyedDecodingContainer<Nested> { probe.container(keyedBy: type) }

        func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer { probe.unkeyedContainer() }
        func superDecoder() -> any Decoder { probe }
    }
}

extension CaseIterable where Self: Decodable {
    /// The first case, and a schema of all cases' words; nil if cases are no words.
    fileprivate static var anyWord: (value: Any, schema: JSON)? {
        let words = allCases.compactMap { ($0 as? any RawRepresentable)?.rawValue as? String }
        guard let first = allCases.first, words.count == allCases.count else { return nil }
        return (first, .words(words))
    }
}

extension JSON {
    /// One of some words.
    static func words(_ words: [String]) -> JSON {
        .object(["enum": .array(words.map(JSON.string))])
    }

    /// An object with exactly these members.
    static func object(members: [String: JSON]) -> JSON {
        .object([
            "type": "object", "properties": .object(members),
            "required": .array(members.keys.sorted().map(JSON.string)),
            "additionalProperties": .bool(false),
        ])
    }
}
