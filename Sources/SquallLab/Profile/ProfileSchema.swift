import SquallApps
public import SquallFormat
import SquallKernel

/// The format of profile files as a JSON Schema, for editors.
public enum ProfileSchema {
    /// The schema, draft 2020-12, with the vocabulary's names as choices.
    public static func json(for vocabulary: ProfileVocabulary) -> JSON {
        var members = Profile.settings(vocabulary).schema
        members.moveNames(among: vocabulary)
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
                    ["$ref": "#/$defs/duration"], .object(Distribution.lawFormat().shape.schema),
                ]),
            ],
        ]
        return .object(members)
    }
}

extension [String: JSON] {
    /// Allows any text as the name of an app, design, journey or endpoint, but only known names in
    /// a document that declares no app and no service of its own.
    fileprivate mutating func moveNames(among vocabulary: ProfileVocabulary) {
        var strict: [String: JSON] = ["properties": [:]]
        let population: ArraySlice = ["properties", "populations", "items", "properties"]
        let backend: ArraySlice = ["properties", "backend", "properties"]
        let fault = backend + ["faults", "items", "properties"]
        let server = backend + ["server", "properties"]
        let enumerations: [ArraySlice<String>] = [
            population + ["app"], population + ["design"], fault + ["app"],
            fault + ["endpoints", "items"],
            server + ["serviceTimes", "propertyNames"], server + ["priorities", "propertyNames"],
            server + ["pools", "items", "properties", "endpoints", "items"],
            server + ["database", "properties", "endpoints", "items"],
        ]
        for path in enumerations {
            var names: JSON?
            change(path) { names = $0.removeValue(forKey: "enum") }
            strict.change(path) { $0["enum"] = names }
        }
        change(population + ["journeys"]) { journeys in
            guard case .object(let known)? = journeys["properties"] else { return }
            let names = JSON.array(known.keys.sorted().map(JSON.string))
            strict.change(population + ["journeys"]) { $0["propertyNames"] = ["enum": names] }
            journeys["additionalProperties"] = known.values.first
        }
        strict.restrictDesigns(to: vocabulary)
        let service: JSON = [
            "properties": ["backend": ["required": ["service"]]], "required": ["backend"],
        ]
        self["if"] = ["anyOf": .array([["required": ["apps"]], service])]
        self["then"] = .bool(true)
        self["else"] = .object(strict)
    }

    /// Restricts designs to the app's own; without an app, to those of the first.
    private mutating func restrictDesigns(to vocabulary: ProfileVocabulary) {
        let rules = vocabulary.apps.map { app -> JSON in
            let isFirst = app.name == vocabulary.apps.first?.name
            var condition: [String: JSON] = ["properties": ["app": ["const": .string(app.name)]]]
            if !isFirst { condition["required"] = ["app"] }
            let designs = JSON.array(app.designs.map(JSON.string))
            return [
                "if": .object(condition), "then": ["properties": ["design": ["enum": designs]]],
            ]
        }
        change(["properties", "populations", "items"]) { $0["allOf"] = .array(rules) }
    }

    /// Changes the object at the end of a path of members, which is made if missing.
    private mutating func change(
        _ path: ArraySlice<String>, _ body: (inout [String: JSON]) -> Void
    ) {
        guard let name = path.first else { return body(&self) }
        guard case .object(var inner) = self[name] ?? [:] else { return }
        inner.change(path.dropFirst(), body)
        self[name] = .object(inner)
    }
}
