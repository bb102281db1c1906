import SquallFormat

extension OpenAPIFile {
    /// The part of a schema that a service checks, its references followed; `nil` where any value
    /// will do.
    func checked(_ node: JSONNode, _ pointer: String, depth: Int = 0) throws -> JSON? {
        guard depth < Self.checkedMax else { return nil }
        let schema = try schema(node, pointer)
        let isNullable = schema.parts.contains(where: \.isNullable)
        let alternatives = try alternatives(of: schema)
        let isOnlyOne = alternatives.count == 1 && schema.type == nil && schema.choices == nil
        return try checked(isOnlyOne ? alternatives[0] : schema, isNullable, depth)
    }

    private func checked(
        _ schema: OpenAPISchema, _ isNullable: Bool, _ depth: Int
    ) throws -> JSON? {
        let types = schema.types.isEmpty ? [schema.type].compactMap(\.self) : schema.types
        var keywords = try keywords(of: schema, types, depth)
        keywords["type"] = Self.list(
            isNullable && !types.isEmpty ? types + ["null"] : types, orOne: true)
        keywords["enum"] = schema.choices.map { choices in
            .array(choices.map { JSON($0) } + (isNullable ? [.null] : []))
        }
        for name in ["anyOf", "oneOf"] {
            // Of several parts each has its alternatives, of which the first part's are checked.
            let all = schema[name]?.elements ?? []
            let parts = try all.map {
                $0.text("type") == "null"
                    ? .object(["type": "null"])
                    : try checked($0, "\(schema.pointer)/\(name)", depth: depth + 1)
            }
            if !parts.contains(where: { $0 == nil }), !parts.isEmpty {
                keywords[name] = .array(parts.compactMap(\.self))
            }
        }
        return keywords.isEmpty ? nil : .object(keywords)
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
            // What one part of several forbids, another may have.
            if schema.parts.count == 1, schema["additionalProperties"]?.value == .bool(false),
                ["anyOf", "oneOf"].allSatisfy({ schema[$0] == nil })
            {
                for name in schema.properties.map(\.name) { own[name] = own[name] ?? .object([:]) }
                keywords["additionalProperties"] = .bool(false)
            }
            keywords["properties"] = own.isEmpty ? nil : .object(own)
            keywords["required"] = Self.list(schema.required.subtracting(hidden).sorted())
        }
        if types.contains("array"), let items = schema.items {
            keywords["items"] = try checked(items, schema.pointer + "/items", depth: depth + 1)
        }
        for name in ["minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems"] {
            // 3.0's `exclusiveMinimum` is a flag beside the limit.
            let exclusive = "exclusive" + name.prefix(1).uppercased() + name.dropFirst()
            let isExclusive = schema[exclusive]?.value == .bool(true)
            keywords[isExclusive ? exclusive : name] = schema[name].map { JSON($0) }
            if schema.number(exclusive) != nil {
                keywords[exclusive] = schema[exclusive].map { JSON($0) }
            }
        }
        if let format = schema.text("format"), types.contains("integer"),
            ["int32", "int64"].contains(format)
        {
            keywords["format"] = .string(format)
        }
        return keywords
    }

    /// The part of a parameter's schema that a service checks; `nil` where any text will do, or
    /// where the parameter is more than one text.
    func checkedText(_ parameter: JSONNode, _ pointer: String) throws -> JSON? {
        guard let node = parameter["schema"], let checked = try checked(node, pointer),
            checked.line.utf8.count < 2_000
        else { return nil }
        let types = ValueSchema.texts(checked.members["type"])
        let isOfTexts = ["array", "object"].allSatisfy { !types.contains($0) }
        return isOfTexts && !types.isEmpty && checked != ["type": "string"] ? checked : nil
    }

    private static func list(_ texts: [String], orOne: Bool = false) -> JSON? {
        if texts.isEmpty { return nil }
        return orOne && texts.count == 1
            ? .string(texts[0]) : .array(texts.map { .string($0) })
    }
}
