public import SquallFormat

/// The format of profile files as a JSON Schema, for editors.
public enum ProfileSchema {
    /// The schema, draft 2020-12, with the vocabulary's names as the values to choose from.
    public static func json(for vocabulary: ProfileVocabulary) -> JSON {
        var members = Profile.settings(vocabulary).schema
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
