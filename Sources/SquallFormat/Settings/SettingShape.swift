/// The description of a setting, for references and schemas.
public struct SettingShape: Sendable {
    /// The type in words: `duration 1s…30d`.
    public var words: String
    /// The type as a JSON Schema.
    public var schema: [String: JSON]
    /// The part that a schema can only say in words, with its leading space.
    var remark = ""
    /// The inner settings, and the text between its key and theirs.
    public var inner: (joint: String, settings: [SettingRow]) = (".", [])
    /// The values it may have.
    public var domain: SettingDomain

    /// A type without inner settings.
    public init(
        _ words: String, _ schema: [String: JSON], _ domain: SettingDomain = .unknown
    ) {
        self.words = words
        self.schema = schema
        self.domain = domain
    }

    /// The type of a list of it: with the words to choose from where it has no settings of its own.
    var listWords: String { inner.settings.isEmpty ? "list of \(words)" : "list" }
}

/// One row of the table of settings: what reference, schema and overrides need.
public struct SettingRow: Sendable {
    /// Its key.
    public let key: String
    /// Its description.
    public let shape: SettingShape
    /// Its default, or that it must be there.
    public let presence: SettingPresence
    /// One sentence about its effect.
    public let summary: String

    /// A copy of the row with another presence.
    func with(_ presence: SettingPresence) -> SettingRow {
        SettingRow(key: key, shape: shape, presence: presence, summary: summary)
    }
}

/// The rule for a setting that is left out.
public enum SettingPresence: Hashable, Sendable {
    /// It must be there.
    case required
    /// Its absence has a meaning of its own.
    case optional
    /// This default.
    case otherwise(JSON)
}

extension [SettingRow] {
    /// The schema of an object with these members.
    public var schema: [String: JSON] {
        let required = filter { $0.presence == .required }.map { JSON.string($0.key) }
        let properties = map { ($0.key, $0.schema) }
        return [
            "type": "object",
            "additionalProperties": .bool(false),
            "properties": .object(Dictionary(uniqueKeysWithValues: properties)),
            "required": .array(required),
        ]
    }

    /// The schema of an object with exactly one of these members.
    var schemaOfAlternatives: [String: JSON] {
        ["oneOf": .array(map { .object([$0.with(.required)].schema) })]
    }

    /// All settings by path, such as `populations[].design`, with a text for people: type, default
    /// and purpose, at most 80 columns wide.
    public var reference: [(path: String, lines: [String])] { flatMap { $0.reference(under: "") } }

    /// The row at a path, where an index stands for any element; nil if the table has none.
    public subscript(path: SettingPath) -> SettingRow? {
        var rows = self
        var found: SettingRow?
        for case .key(let key) in path.parts {
            found = rows.first { $0.key == key }
            rows = found?.shape.inner.settings ?? []
        }
        return found
    }
}

extension SettingRow {
    fileprivate var schema: JSON {
        var members = shape.schema
        members["description"] = .string(summary + shape.remark)
        if case .otherwise(let json) = presence { members["default"] = json }
        return .object(members)
    }

    fileprivate func reference(under prefix: String) -> [(path: String, lines: [String])] {
        let path = prefix + key
        let facts = [shape.words, presenceWords].filter { !$0.isEmpty }
        let lines =
            WordWrap.lines(([path] + facts).joined(separator: " · "), rest: "  ")
            + WordWrap.lines(summary, first: "    ", rest: "    ")
        return [(path, lines)]
            + shape.inner.settings.flatMap { $0.reference(under: path + shape.inner.joint) }
    }

    private var presenceWords: String {
        switch presence {
        case .required: "required"
        case .optional: ""
        case .otherwise(.object(let members)) where members.isEmpty: ""
        // A space after each comma, so that a long list can be broken into lines.
        case .otherwise(.array(let items)):
            "default [\(items.map(\.line).joined(separator: ", "))]"
        case .otherwise(let json): "default \(json.line)"
        }
    }
}
