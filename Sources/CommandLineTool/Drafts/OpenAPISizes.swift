import SquallFormat

/// How large the bodies of a document's schemas are, as JSON.
struct OpenAPISizes {
    let file: OpenAPIFile

    /// How deep objects in objects are looked into.
    private static let depthMax = 6

    /// The size of a value of a schema, in bytes.
    func bytes(of schema: JSONNode, _ pointer: String, depth: Int = 0) throws -> Int {
        guard depth < Self.depthMax else { return 2 }
        let schema = try file.resolved(schema, pointer)
        for key in ["allOf", "oneOf", "anyOf"] {
            let parts = schema[key]?.elements ?? []
            let sizes = try parts.enumerated().map {
                try bytes(of: $0.element, "\(pointer)/\(key)/\($0.offset)", depth: depth + 1)
            }
            guard let first = sizes.first else { continue }
            return key == "allOf" ? sizes.reduce(0, +) : first
        }
        if schema["properties"] != nil { return try object(schema, pointer, depth) }
        if let items = schema["items"] {
            return 3 * (try bytes(of: items, pointer + "/items", depth: depth + 1)) + 4
        }
        switch type(of: schema) {
        case "integer", "number": return 6
        case "boolean": return 5
        case "string":
            let formats = ["date-time": 22, "uuid": 38, "uri": 60, "url": 60, "binary": 50_000]
            return schema.text("format").flatMap { formats[$0] } ?? 24
        default: return 24
        }
    }

    private func object(_ schema: JSONNode, _ pointer: String, _ depth: Int) throws -> Int {
        try (schema["properties"]?.members ?? []).reduce(2) { sum, member in
            let place = "\(pointer)/properties/\(member.name.pointerPart)"
            return sum + member.name.utf8.count + 4
                + (try bytes(of: member.value, place, depth: depth + 1))
        }
    }

    /// The type, of a list of which the first that is not null.
    private func type(of schema: JSONNode) -> String? {
        if let text = schema.text("type") { return text }
        return schema["type"]?.elements.lazy.compactMap { element -> String? in
            if case .string(let text) = element.value, text != "null" { text } else { nil }
        }.first
    }

    /// The objects of an answer that is a list, or has exactly one list of objects in it.
    func listItems(of schema: JSONNode, _ pointer: String) throws -> JSONNode? {
        let schema = try file.resolved(schema, pointer)
        if let items = schema["items"] { return items }
        let lists = try (schema["properties"]?.members ?? []).compactMap { member -> JSONNode? in
            let place = "\(pointer)/properties/\(member.name.pointerPart)"
            return try file.resolved(member.value, place)["items"]
        }
        return lists.count == 1 ? lists[0] : nil
    }

    /// The schema of the first success that has a body.
    func answer(of call: OpenAPICall) throws -> (schema: JSONNode, pointer: String)? {
        let pointer = call.pointer + "/responses"
        guard let responses = call.operation["responses"] else { return nil }
        let success = try file.members(of: responses, pointer).first { $0.name.hasPrefix("2") }
        guard let success else { return nil }
        let place = "\(pointer)/\(success.name)"
        return try body(of: file.resolved(success.value, place), place)
    }

    /// The schema of what a call sends.
    func request(of call: OpenAPICall) throws -> (schema: JSONNode, pointer: String)? {
        let pointer = call.pointer + "/requestBody"
        return try call.operation["requestBody"].flatMap {
            try body(of: file.resolved($0, pointer), pointer)
        }
    }

    private func body(
        of node: JSONNode, _ pointer: String
    ) throws -> (schema: JSONNode, pointer: String)? {
        let media = node["content"]?.members ?? []
        let chosen = media.first { $0.name.contains("json") } ?? media.first
        guard let chosen, let schema = chosen.value["schema"] else { return nil }
        return (schema, "\(pointer)/content/\(chosen.name.pointerPart)/schema")
    }
}
