/// What a setting may be, as references and schemas say it.
public struct SettingShape: Sendable {
    /// The type in words: `duration 1s…30d`.
    public var words: String
    /// The type as a JSON Schema.
    public var schema: [String: JSON]
    /// What a schema can say in words only, with its leading space.
    public var remark = ""
    /// The settings in it, and what stands between its key and theirs.
    public var inner: (joint: String, settings: [SettingRow]) = (".", [])
    /// The values it may have.
    public var domain: SettingDomain

    /// A type without settings in it.
    public init(
        _ words: String, _ schema: [String: JSON], _ domain: SettingDomain = .unknown
    ) {
        self.words = words
        self.schema = schema
        self.domain = domain
    }
}

/// One row of the table of settings: what reference, schema and overrides need of a setting.
public struct SettingRow: Sendable {
    /// Its key.
    public let key: String
    /// What it may be.
    public let shape: SettingShape
    /// What holds when it is left out.
    public let presence: SettingPresence
    /// One sentence that says what it does.
    public let summary: String

    /// The same row with another presence.
    func with(_ presence: SettingPresence) -> SettingRow {
        SettingRow(key: key, shape: shape, presence: presence, summary: summary)
    }
}

/// What holds when a setting is left out.
public enum SettingPresence: Hashable, Sendable {
    /// Nothing does: it must be there.
    case required
    /// Nothing, and that has a meaning.
    case optional
    /// This.
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
    public var schemaOfAlternatives: [String: JSON] {
        ["oneOf": .array(map { .object([$0.with(.required)].schema) })]
    }

    /// Every setting by its path, as `populations[].design`, with the text for people: its type,
    /// default and purpose, at most 80 columns wide.
    public var reference: [(path: String, lines: [String])] { flatMap { $0.reference(under: "") } }

    /// The row at a path, an index standing for any element; nil where the table has none.
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
            Prose.lines(([path] + facts).joined(separator: " · "), rest: "  ")
            + Prose.lines(summary, first: "    ", rest: "    ")
        return [(path, lines)]
            + shape.inner.settings.flatMap { $0.reference(under: path + shape.inner.joint) }
    }

    private var presenceWords: String {
        switch presence {
        case .required: "required"
        case .optional: ""
        case .otherwise(.object(let members)) where members.isEmpty: ""
        // With a space after each, so that a long list can be broken into lines.
        case .otherwise(.array(let items)):
            "default [\(items.map(\.line).joined(separator: ", "))]"
        case .otherwise(let json): "default \(json.line)"
        }
    }
}
