import SquallFormat
import SquallReport
import Testing

@Suite("Schema of summary.json")
struct SummarySchemaTests {
    @Test("Every summary is what the schema says, and nothing is left open")
    func valid() throws {
        var reading = RunSummary.empty
        reading.readings = [.sample("cursor")]
        for summary in [try RunSummary.sample(), .empty, reading] {
            #expect(Self.problems(of: summary.json, SummarySchema.json, "") == [])
        }
    }

    @Test("The schema refuses what is missing, unknown or of another type")
    func invalid() throws {
        guard case .object(let members) = try RunSummary.sample().json else { return }
        let wrong: [(String, JSON?)] = [("seed", nil), ("seed", "1"), ("extra", 1)]
        for (name, value) in wrong {
            let changed = JSON.object(members.merging([name: value ?? .null]) { $1 })
            #expect(Self.problems(of: changed, SummarySchema.json, "").count == 1)
        }
    }

    /// As much of JSON Schema as is needed here, from its specification.
    private static func problems(of value: JSON, _ schema: JSON, _ path: String) -> [String] {
        guard case .object(let rules) = schema else { return ["\(path): no schema"] }
        if case .array(let words)? = rules["enum"], !words.contains(value) { return [path] }
        if let only = rules["const"], only != value { return [path] }
        let types: [JSON] =
            switch rules["type"] {
            case .array(let types)?: types
            case .some(let type): [type]
            case nil: []
            }
        guard types.isEmpty || types.contains(where: { isOf(value, $0) }) else { return [path] }
        switch value {
        case .array(let elements):
            return elements.enumerated().flatMap { index, element in
                problems(of: element, rules["items"] ?? .null, "\(path)/\(index)")
            }
        case .object(let members): return problems(of: members, rules, path)
        default: return []
        }
    }

    private static func problems(
        of members: [String: JSON], _ rules: [String: JSON], _ path: String
    ) -> [String] {
        guard case .object(let known)? = rules["properties"] else { return [] }
        let missing = known.keys.filter { members[$0] == nil }.map { "\(path)/\($0)" }
        return missing.sorted()
            + members.sorted { $0.key < $1.key }.flatMap { name, value in
                known[name].map { problems(of: value, $0, "\(path)/\(name)") }
                    ?? ["\(path)/\(name)"]
            }
    }

    private static func isOf(_ value: JSON, _ type: JSON) -> Bool {
        switch (value, type) {
        case (.object, "object"), (.array, "array"), (.string, "string"), (.null, "null"),
            (.bool, "boolean"), (.integer, "integer"), (.unsigned, "integer"),
            (.integer, "number"), (.number, "number"):
            true
        default: false
        }
    }
}
