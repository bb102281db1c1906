import SquallFormat

/// Estimates the size of the bodies of a document's schemas, as JSON.
final class OpenAPISizes {
    let file: OpenAPIFile
    /// The sizes of schemas that are referred to, by schema and depth.
    private var known: [Place: Int] = [:]

    private struct Place: Hashable {
        let target: String
        let depth: Int
    }

    /// The deepest level of nested objects that is counted.
    private static let depthMax = 6
    /// Larger than any body in a profile.
    private static let bytesMax = 10_000_000

    init(file: OpenAPIFile) { self.file = file }

    /// The size of a value of a schema, in bytes.
    func bytes(of schema: JSONNode, _ pointer: String, depth: Int = 0) throws -> Int {
        guard depth < Self.depthMax else { return 2 }
        let place = schema.text("$ref").map { Place(target: $0, depth: depth) }
        if let place, let known = known[place] { return known }
        let bytes = min(
            Self.bytesMax, try bytes(ofResolved: file.resolved(schema, pointer), pointer, depth))
        if let place { known[place] = bytes }
        return bytes
    }

    private func bytes(
        ofResolved schema: JSONNode, _ pointer: String, _ depth: Int
    ) throws -> Int {
        for key in ["allOf", "oneOf", "anyOf"] {
            guard let parts = schema[key]?.elements, !parts.isEmpty else { continue }
            // The first of several alternatives stands for all of them.
            return try parts.prefix(key == "allOf" ? parts.count : 1).enumerated().reduce(0) {
                try $0
                    + bytes(of: $1.element, "\(pointer)/\(key)/\($1.offset)", depth: depth + 1)
            }
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
            let place = "\(pointer)/properties\(member.name.pointerPart)"
            return sum + member.name.utf8.count + 4
                + (try bytes(of: member.value, place, depth: depth + 1))
        }
    }

    /// The type; of a list of types the first that is not null.
    private func type(of schema: JSONNode) -> String? {
        if let text = schema.text("type") { return text }
        return schema["type"]?.elements.lazy.compactMap { element -> String? in
            if case .string(let text) = element.value, text != "null" { text } else { nil }
        }.first
    }

    /// The schema of the objects in an answer that is a list, or an object that wraps one list.
    ///
    /// An object with one list among other members, such as a pet with its tags, is one object.
    func listItems(of schema: JSONNode, _ pointer: String) throws -> JSONNode? {
        let schema = try file.resolved(schema, pointer)
        if let items = schema["items"] { return items }
        var lists: [JSONNode] = []
        for member in schema["properties"]?.members ?? [] {
            let place = "\(pointer)/properties\(member.name.pointerPart)"
            if let items = try file.resolved(member.value, place)["items"] {
                lists.append(items)
            } else if !Self.isOfPage(member.name) {
                return nil
            }
        }
        return lists.count == 1 ? lists[0] : nil
    }

    /// Whether a member of an answer describes the page, such as a page number.
    private static func isOfPage(_ name: String) -> Bool {
        let words = [
            "count", "total", "page", "limit", "offset", "next", "prev", "cursor", "more", "size",
            "links", "meta", "after", "before", "skip", "take", "first", "last", "token", "etag",
            "kind", "success", "message", "code",
        ]
        let name = name.lowercased()
        return words.contains { name.contains($0) }
    }

    /// The schema of the first successful answer that has a body.
    func answer(of call: OpenAPICall) throws -> (schema: JSONNode, pointer: String)? {
        let pointer = call.pointer + "/responses"
        guard let responses = call.operation["responses"] else { return nil }
        let success = try file.members(of: responses, pointer).first { $0.name.hasPrefix("2") }
        guard let success else { return nil }
        let place = "\(pointer)/\(success.name)"
        return try body(of: file.resolved(success.value, place), place)
    }

    /// The schema of a call's body.
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
        return (schema, "\(pointer)/content\(chosen.name.pointerPart)/schema")
    }
}
