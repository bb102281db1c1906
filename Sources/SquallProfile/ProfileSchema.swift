public import SquallFormat

/// The format of profile files as a JSON Schema, for editors.
public enum ProfileSchema {
    /// The schema, draft 2020-12, with the vocabulary's names as the values to choose from.
    public static func json(for vocabulary: ProfileVocabulary) -> JSON {
        var members = Profile.settings(vocabulary).schema
        members.restrictDesigns(to: vocabulary)
        members["$schema"] = "https://json-schema.org/draft/2020-12/schema"
        members["title"] = "Squall profile"
        members["$defs"] = [
            "duration": [
                "type": "string",
                "pattern": "^([0-9]+(\\.[0-9]+)?(d|h|m|s|ms|us|µs|ns))+$",
                "description": "A duration such as 300ms, 1.5s or 1h30m.",
            ],
            "distribution": [
                "description": "A law for durations; a bare duration is always the same.",
                "oneOf": .array([
                    ["$ref": "#/$defs/duration"], .object(vocabulary.laws.shape.schema),
                ]),
            ],
        ]
        return .object(members)
    }
}

extension [String: JSON] {
    /// Each app has designs of its own; of a population without an app those of the first.
    fileprivate mutating func restrictDesigns(to vocabulary: ProfileVocabulary) {
        let rules = vocabulary.apps.map { app -> JSON in
            let isFirst = app == vocabulary.apps.first
            var condition: [String: JSON] = ["properties": ["app": ["const": .string(app.name)]]]
            if !isFirst { condition["required"] = ["app"] }
            let designs = JSON.array(app.designs.map(JSON.string))
            return [
                "if": .object(condition), "then": ["properties": ["design": ["enum": designs]]],
            ]
        }
        change(["properties", "populations", "items"]) { $0["allOf"] = .array(rules) }
    }

    /// Changes the object at the end of a path of members; nothing where there is none.
    private mutating func change(
        _ path: ArraySlice<String>, _ body: (inout [String: JSON]) -> Void
    ) {
        guard let name = path.first else { return body(&self) }
        guard case .object(var inner)? = self[name] else { return }
        inner.change(path.dropFirst(), body)
        self[name] = .object(inner)
    }
}
