import SquallFormat

extension OpenAPIFile {
    /// The part of a schema that a service checks, its references followed; `nil` where any value
    /// will do, or one of several alternatives.
    func checked(_ node: JSONNode, _ pointer: String, depth: Int = 0) throws -> JSON? {
        let whole = try schema(node, pointer)
        let alternatives = try alternatives(of: whole)
        guard depth < Self.checkedMax, alternatives.count < 2,
            whole.parts.count(where: { $0["oneOf"] != nil || $0["anyOf"] != nil })
                <= alternatives.count
        else { return nil }
        let schema = alternatives.first ?? whole
        var types = schema.types.isEmpty ? [schema.type].compactMap(\.self) : schema.types
        var keywords = try keywords(of: schema, types, depth)
        let choices = schema.choices?.map { JSON($0) }
        guard !types.isEmpty || choices != nil else { return nil }
        let isNullable = whole.parts.contains(where: \.isNullable)
        if isNullable, !types.isEmpty { types.append("null") }
        keywords["type"] = Self.list(types, orOne: true)
        keywords["enum"] = choices.map { .array(isNullable ? $0 + [.null] : $0) }
        return .object(keywords)
    }

    /// The levels of objects that are checked; a schema may be one of its own members.
    private static let checkedMax = 6

    private func keywords(
        of schema: OpenAPISchema, _ types: [String], _ depth: Int
    ) throws -> [String: JSON] {
        var keywords: [String: JSON] = [:]
        if types.contains("object") {
            let members = schema.properties.filter { !$0.value.isReadOnly }
            var own: [String: JSON] = [:]
            for member in members {
                own[member.name] = try checked(
                    member.value, "\(schema.pointer)/properties\(member.name.pointerPart)",
                    depth: depth + 1)
            }
            let hidden = schema.properties.filter(\.value.isReadOnly).map(\.name)
            keywords["properties"] = own.isEmpty ? nil : .object(own)
            keywords["required"] = Self.list(schema.required.subtracting(hidden).sorted())
        }
        if types.contains("array"), let items = schema.items {
            keywords["items"] = try checked(items, schema.pointer + "/items", depth: depth + 1)
        }
        for name in ["minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems"] {
            keywords[name] = schema[name].map { JSON($0) }
        }
        return keywords
    }

    private static func list(_ texts: [String], orOne: Bool = false) -> JSON? {
        if texts.isEmpty { return nil }
        return orOne && texts.count == 1
            ? .string(texts[0]) : .array(texts.map { .string($0) })
    }
}
