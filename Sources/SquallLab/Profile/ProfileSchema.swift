public import SquallApps
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
            population + ["thinkTimes", "propertyNames"],
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
        self["else"] = .object(strict)
    }

    /// Restricts designs to the app's own; without an app, to those of the first.
    private mutating func restrictDesigns(to vocabulary: ProfileVocabulary) {
        let rules = vocabulary.apps.map { app -> JSON in
            let isFirst = app.name == vocabulary.apps.first?.name
            var condition: [String: JSON] = ["properties": ["app": ["const": .string(app.name)]]]
            if !isFirst { condition["required"] = ["app"] }
            let designs = JSON.array((app.designs + app.presets).map(JSON.string))
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

/// The apps and endpoints that a profile may name.
public struct ProfileVocabulary: Sendable {
    /// The apps; the first is the default.
    public internal(set) var apps: [AppDescription]
    /// The server's endpoints.
    var endpoints: [String]
    /// The format of apps that a profile declares.
    var declaredApps = DeclaredApps(service: nil, taken: []).format.checking
    /// The table of settings with these words: each override of each replication looks into it.
    var table = ReadOnce()

    /// The words of these apps and endpoints.
    ///
    /// - Precondition: there is at least one app, and each has at least one design.
    public init(apps: [AppDescription], endpoints: [String]) {
        precondition(!apps.isEmpty && apps.allSatisfy { !$0.designs.isEmpty })
        self.apps = apps
        self.endpoints = endpoints
    }

    func app(named name: String) -> AppDescription? { apps.first { $0.name == name } }

    /// All designs of all apps, each once, in order of appearance.
    public var designs: [String] {
        apps.flatMap { $0.designs + $0.presets }.reduce(into: []) { names, name in
            if !names.contains(name) { names.append(name) }
        }
    }

    /// All journeys of all apps, each once, sorted.
    var journeys: [String] { Set(apps.flatMap(\.journeys).map(\.name)).sorted() }
}

/// The format of profile files as text for people.
public enum ProfileReference {
    /// Every setting with its type, range, default and purpose; at most 80 columns wide.
    public static func text(for vocabulary: ProfileVocabulary) -> String {
        let sections = [
            ([], Profile.settings(vocabulary)),
            (
                ["Stages of arrivals: an object with exactly one of these", ""],
                ArrivalShapes.format.shape.inner.settings
            ),
            (
                ["Distributions: a duration, or an object with exactly one of these", ""],
                Distribution.lawFormat().shape.inner.settings
            ),
        ]
        return text(sections.map { $0 + $1.reference.flatMap(\.lines) }.joined(separator: [""]))
    }

    /// One setting and its contents, by a path such as `backend.tokens` or `populations[0].design`,
    /// or as errors name it, `/populations/0/design`; nil for an unknown setting.
    public static func text(of path: String, _ vocabulary: ProfileVocabulary) -> String? {
        let path = path.replacing(/\/(\d+)/) { "[\($0.output.1)]" }.replacing(/^\//, with: "")
            .replacing("/", with: ".").replacing(/\[\d+\]/, with: "[]")
        let entries = Profile.settings(vocabulary).reference.filter { entry in
            entry.path == path || entry.path.hasPrefix(path + ".")
                || entry.path.hasPrefix(path + "[")
        }
        return entries.isEmpty ? nil : text(entries.flatMap(\.lines))
    }

    /// The paths of all settings, as `populations[].design`.
    public static func paths(_ vocabulary: ProfileVocabulary) -> [String] {
        Profile.settings(vocabulary).reference.map(\.path)
    }

    private static func text(_ lines: some Sequence<String>) -> String {
        lines.map { $0 + "\n" }.joined()
    }
}
