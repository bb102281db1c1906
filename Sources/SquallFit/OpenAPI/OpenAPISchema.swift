import SquallFormat

/// A schema with the parts that it is composed of put together.
struct OpenAPISchema {
    /// The schemas that all hold, the outermost first.
    let parts: [JSONNode]
    let pointer: String

    /// The value of a keyword; the outermost schema that has it decides.
    subscript(keyword: String) -> JSONNode? {
        parts.lazy.compactMap { $0[keyword] }.first
    }

    func text(_ keyword: String) -> String? { self[keyword]?.text }

    func number(_ keyword: String) -> Double? {
        guard case .number(let text)? = self[keyword]?.value else { return nil }
        return Double(text)
    }

    /// The types that are not null.
    var types: [String] {
        guard let type = self["type"] else { return [] }
        let all = type.text.map { [$0] } ?? type.elements.compactMap(\.text)
        return all.filter { $0 != "null" }
    }

    /// The type, also where only other keywords tell it.
    var type: String? {
        if let type = types.first { return type }
        if !properties.isEmpty || self["additionalProperties"] != nil { return "object" }
        if self["items"] != nil || self["prefixItems"] != nil { return "array" }
        let texts = ["format", "pattern", "minLength", "maxLength"]
        if texts.contains(where: { self[$0] != nil }) { return "string" }
        return self["minimum"] != nil || self["maximum"] != nil ? "number" : nil
    }

    /// Whether null is allowed, by the keyword of 3.0, a list of types or an alternative.
    var allowsNull: Bool {
        if case .bool(true)? = self["nullable"]?.value { return true }
        if self["type"]?.elements.contains(where: { $0.text == "null" }) ?? false { return true }
        return ["anyOf", "oneOf"].contains { key in
            self[key]?.elements.contains { $0.text("type") == "null" } ?? false
        }
    }

    /// The members in the document's order; a later schema changes those of an earlier one.
    var properties: [JSONNode.Member] {
        var members: [JSONNode.Member] = []
        var places: [String: Int] = [:]
        for member in parts.reversed().flatMap({ $0["properties"]?.members ?? [] }) {
            if let place = places[member.name] {
                members[place] = member
            } else {
                places[member.name] = members.count
                members.append(member)
            }
        }
        return members
    }

    /// The names of the members that must be there.
    var required: Set<String> {
        Set(parts.flatMap { $0["required"]?.elements ?? [] }.compactMap(\.text))
    }
}

extension OpenAPIFile {
    /// A schema with its references followed, and with all that `allOf` has in it.
    func schema(_ node: JSONNode, _ pointer: String) throws -> OpenAPISchema {
        var parts: [JSONNode] = []
        var waiting = [(node, pointer, 0)]
        while let (next, place, depth) = waiting.popLast() {
            guard depth < 32, parts.count < 200 else {
                throw error(next, place, "is composed of more than 200 schemas, or of itself")
            }
            let schema = try resolved(next, place)
            parts.append(schema)
            let all = schema["allOf"]?.elements ?? []
            waiting += all.enumerated().reversed().map {
                ($0.element, "\(place)/allOf/\($0.offset)", depth + 1)
            }
        }
        return OpenAPISchema(parts: parts, pointer: pointer)
    }

    /// Whether a value that a document gives fits its schema, as far as a decoder would notice.
    func fits(
        _ value: JSONNode, _ node: JSONNode, _ pointer: String, depth: Int = 0
    ) throws -> Bool {
        guard depth < 12 else { return false }
        let schema = try schema(node, pointer)
        if case .null = value.value { return schema.allowsNull }
        if let choices = schema["enum"]?.elements,
            !choices.contains(where: { JSON($0) == JSON(value) })
        {
            return false
        }
        for key in ["oneOf", "anyOf"] {
            guard let alternatives = schema[key]?.elements, !alternatives.isEmpty else { continue }
            let isOne = try alternatives.contains {
                try fits(value, $0, "\(pointer)/\(key)", depth: depth + 1)
            }
            guard isOne else { return false }
        }
        return try fits(value, schema, depth)
    }

    private func fits(_ value: JSONNode, _ schema: OpenAPISchema, _ depth: Int) throws -> Bool {
        let (types, pointer) = (schema.types, schema.pointer)
        switch value.value {
        case .null: return true
        case .bool: return types.isEmpty || types.contains("boolean")
        case .number(let text):
            let isWhole = !text.contains { ".eE".contains($0) }
            return types.isEmpty || types.contains("number") || isWhole && types.contains("integer")
        case .string: return types.isEmpty || types.contains("string")
        case .array(let elements):
            guard types.isEmpty || types.contains("array") else { return false }
            guard let items = schema["items"] else { return true }
            return try elements.prefix(20).allSatisfy {
                try fits($0, items, pointer + "/items", depth: depth + 1)
            }
        case .object(let members):
            guard types.isEmpty || types.contains("object") else { return false }
            let names = Set(members.map(\.name))
            guard schema.required.isSubset(of: names) else { return false }
            let known = Dictionary(schema.properties.map { ($0.name, $0.value) }) { $1 }
            return try members.allSatisfy { member in
                guard let own = known[member.name] else { return true }
                return try fits(member.value, own, pointer, depth: depth + 1)
            }
        }
    }
}
