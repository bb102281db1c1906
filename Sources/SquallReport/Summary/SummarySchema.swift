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
                "unit": .words(Metric.Unit.allCases.map(\.rawValue)),
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
