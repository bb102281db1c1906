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
        parts.lazy.compactMap { $0.number(keyword) }.first
    }

    /// The types that are not null.
    var types: [String] {
        guard let type = self["type"] else { return [] }
        let all = type.text.map { [$0] } ?? type.elements.compactMap(\.text)
        return all.filter { $0 != "null" }.map { Self.usual[$0] ?? $0 }
    }

    /// Types of other languages that documents name, by their names in JSON Schema.
    fileprivate static let usual = [
        "float": "number", "double": "number", "decimal": "number", "int": "integer",
        "long": "integer", "bool": "boolean", "date": "string", "datetime": "string",
    ]

    /// The type, also where only other keywords tell it.
    var type: String? {
        if let type = types.first { return type }
        if !properties.isEmpty || self["additionalProperties"] != nil { return "object" }
        if self["items"] != nil || self["prefixItems"] != nil { return "array" }
        let texts = ["format", "pattern", "minLength", "maxLength"]
        if texts.contains(where: { self[$0] != nil }) { return "string" }
        return self["minimum"] != nil || self["maximum"] != nil ? "number" : nil
    }

    /// True if null is allowed, and no part says otherwise.
    var allowsNull: Bool {
        parts.contains { $0.isNullable } && parts.allSatisfy { $0.isNullable || $0.isOpen }
    }

    /// True if a part allows only null.
    var isNull: Bool {
        parts.contains { part in
            part["type"].map { $0.text == "null" || $0.elements.map(\.text) == ["null"] } ?? false
        }
    }

    /// The values of `enum` that all parts list; `nil` where none does.
    var choices: [JSONNode]? {
        parts.compactMap { $0["enum"]?.elements }.reduce(nil) { all, own in
            all?.filter { one in own.contains { JSON($0) == JSON(one) } } ?? own
        }
    }

    /// True if no part forbids values of one of these types.
    func allows(_ names: String...) -> Bool {
        parts.allSatisfy { part in
            part["type"].map { type in names.contains { type.names($0) } } ?? true
        }
    }

    /// The members in the document's order; what several schemas say of one, they say together.
    ///
    /// `additionalProperties: false` forbids what its own part does not name, also where other
    /// parts do; such a member is here only where it must be.
    var properties: [JSONNode.Member] {
        var members: [JSONNode.Member] = []
        var places: [String: Int] = [:]
        for member in parts.reversed().flatMap({ $0["properties"]?.members ?? [] }) {
            if let place = places[member.name] {
                let both = member.value.composed(with: members[place].value)
                members[place] = JSONNode.Member(
                    name: member.name, place: member.place, value: both)
            } else {
                places[member.name] = members.count
                members.append(member)
            }
        }
        let (closed, required) = (closed, required)
        guard !closed.isEmpty else { return members }
        return members.filter { member in
            required.contains(member.name) || closed.allSatisfy { $0.contains(member.name) }
        }
    }

    /// True if no part forbids a member of a name.
    func permits(_ name: String) -> Bool { closed.allSatisfy { $0.contains(name) } }

    /// The members of each part that permits no others.
    private var closed: [Set<String>] {
        parts.filter {
            $0["additionalProperties"]?.value == .bool(false) && $0["patternProperties"] == nil
        }.map { Set($0["properties"]?.members.map(\.name) ?? []) }
    }

    /// True if a member must be there that a part forbids, so that no object fits.
    var isContradictory: Bool {
        let required = required
        return closed.contains { !required.isSubset(of: $0) }
    }

    /// The schema of a list's elements: what all parts say of them.
    var items: JSONNode? {
        parts.compactMap { $0["items"] }.reduce(nil) { $0?.composed(with: $1) ?? $1 }
    }

    /// The names of the members that must be there.
    var required: Set<String> {
        Set(parts.flatMap { $0["required"]?.elements ?? [] }.compactMap(\.text))
    }
}

extension JSONNode {
    fileprivate func number(_ keyword: String) -> Double? {
        guard case .number(let text)? = self[keyword]?.value else { return nil }
        return Double(text)
    }

    /// True for a `type` that is this one, or has it among others.
    fileprivate func names(_ type: String) -> Bool {
        text.map { OpenAPISchema.usual[$0] ?? $0 } == type || elements.contains { $0.names(type) }
    }

    /// True if a part allows null: by the keyword of 3.0, a list of types or an alternative.
    var isNullable: Bool {
        self["nullable"]?.value == .bool(true) || self["type"]?.names("null") == true
            || ["anyOf", "oneOf"].contains { key in
                self[key]?.elements.contains { $0.text("type") == "null" } ?? false
            }
    }

    /// True if a part does not say what it is.
    fileprivate var isOpen: Bool {
        ["type", "properties", "enum", "nullable"].allSatisfy { self[$0] == nil }
    }

    /// True for a member that only responses have.
    var isReadOnly: Bool { self["readOnly"]?.value == .bool(true) }

    /// The schema whose only example this is.
    fileprivate var ownSchema: JSONNode {
        func node(_ value: Value) -> JSONNode { JSONNode(value: value, place: place) }
        func schema(_ type: String, _ name: String, _ value: JSONNode) -> JSONNode {
            node(
                .object([
                    Member(name: "type", place: place, value: node(.string(type))),
                    Member(name: name, place: place, value: value),
                ]))
        }
        switch value {
        case .object(let members):
            let own = members.map {
                Member(name: $0.name, place: $0.place, value: $0.value.ownSchema)
            }
            return schema("object", "properties", node(.object(own)))
        case .array(let elements):
            return schema("array", "items", elements.first?.ownSchema ?? node(.object([])))
        case .number(let text):
            return schema(Int64(text) == nil ? "number" : "integer", "example", self)
        case .string: return schema("string", "example", self)
        case .bool: return schema("boolean", "example", self)
        case .null: return node(.object([]))
        }
    }

    /// A schema that holds where both do.
    fileprivate func composed(with other: JSONNode) -> JSONNode {
        func node(_ value: JSONNode.Value) -> JSONNode { JSONNode(value: value, place: place) }
        guard case .object(let members) = value, self["$ref"] == nil, self["allOf"] == nil else {
            let all = Member(name: "allOf", place: place, value: node(.array([self, other])))
            return node(.object([all]))
        }
        let all = Member(name: "allOf", place: place, value: node(.array([other])))
        return node(.object(members + [all]))
    }
}

extension OpenAPIFile {
    /// A schema with its references followed, and with all that `allOf` has in it.
    func schema(_ node: JSONNode, _ pointer: String) throws -> OpenAPISchema {
        var parts: [JSONNode] = []
        var waiting = [(node, pointer, 0)]
        while let (next, place, depth) = waiting.popLast() {
            guard depth < 32, parts.count < 200 else {
                throw error(next, pointer, "is composed of more than 200 schemas, or of itself")
            }
            let schema = try resolved(next, place)
            if hasSiblings(next) { parts.append(next) }
            parts.append(schema)
            let all = schema["allOf"]?.elements ?? []
            waiting += all.enumerated().reversed().map {
                ($0.element, "\(place)/allOf/\($0.offset)", depth + 1)
            }
        }
        return OpenAPISchema(parts: parts, pointer: pointer)
    }

    /// The first example of a media type or a parameter.
    func example(of node: JSONNode) -> JSONNode? {
        node["example"]
            ?? node["examples"]?.members.lazy.compactMap { example in
                try? self.resolved(example.value, "/components/examples")["value"]
            }.first
    }

    /// The schema of a media type; where there is none, that of its example.
    func schema(ofMedia node: JSONNode) -> JSONNode? {
        node["schema"] ?? example(of: node)?.ownSchema
    }

    /// True for a reference with keywords beside it, which hold too since 3.1.
    func hasSiblings(_ node: JSONNode) -> Bool {
        node["$ref"] != nil && root["openapi"]?.text?.hasPrefix("3.0") == false
            && node.members.contains { !["$ref", "description", "summary"].contains($0.name) }
    }

    /// The alternatives of a schema that are not null.
    func alternatives(of schema: OpenAPISchema) throws -> [OpenAPISchema] {
        try ["anyOf", "oneOf"].flatMap { schema[$0]?.elements ?? [] }
            .filter { $0.text("type") != "null" }.map { try self.schema($0, schema.pointer) }
    }

    /// A schema, or the one alternative of it that is not null.
    func single(_ node: JSONNode, _ pointer: String) throws -> OpenAPISchema {
        let schema = try schema(node, pointer)
        let all = try alternatives(of: schema)
        return all.count == 1 ? all[0] : schema
    }

    /// True for a value that fits its schema, as far as a decoder would notice.
    func fits(
        _ value: JSONNode, _ node: JSONNode, _ pointer: String, depth: Int = 0
    ) throws -> Bool {
        try depth < 12 && fits(value, schema(node, pointer), depth)
    }

    func fits(_ value: JSONNode, _ schema: OpenAPISchema, _ depth: Int = 0) throws -> Bool {
        if case .null = value.value { return schema.allowsNull }
        for part in schema.parts {
            if let choices = part["enum"]?.elements,
                !choices.contains(where: { JSON($0) == JSON(value) })
            {
                return false
            }
            for key in ["oneOf", "anyOf"] {
                guard let all = part[key]?.elements, !all.isEmpty else { continue }
                let isOne = try all.contains {
                    try fits(value, $0, "\(schema.pointer)/\(key)", depth: depth + 1)
                }
                guard isOne else { return false }
            }
        }
        switch value.value {
        case .null: return true
        case .bool: return schema.allows("boolean")
        case .number(let text): return isNumber(text, as: schema)
        case .string(let text): return schema.allows("string") && isText(text, as: schema)
        case .array(let elements):
            guard schema.allows("array") else { return false }
            guard let items = schema.items else { return true }
            return try elements.prefix(20).allSatisfy {
                try fits($0, items, schema.pointer + "/items", depth: depth + 1)
            }
        case .object(let members):
            return try schema.allows("object") && areMembers(members, of: schema, depth)
        }
    }

    private func isNumber(_ text: String, as schema: OpenAPISchema) -> Bool {
        let isWhole = !text.contains { ".eE".contains($0) }
        let number = Double(text) ?? 0
        if schema.text("format") == "int32", abs(number) > Double(Int32.max) { return false }
        return (isWhole ? schema.allows("number", "integer") : schema.allows("number"))
            && schema.parts.allSatisfy { part in
                (part.number("minimum") ?? number) <= number
                    && number <= (part.number("maximum") ?? number)
            }
    }

    private func areMembers(
        _ members: [JSONNode.Member], of schema: OpenAPISchema, _ depth: Int
    ) throws -> Bool {
        guard schema.required.isSubset(of: Set(members.map(\.name))) else { return false }
        let known = Dictionary(schema.properties.map { ($0.name, $0.value) }) { $1 }
        let others = schema["additionalProperties"]
        return try members.allSatisfy { member in
            guard let own = known[member.name] ?? others, case .object = own.value else {
                return known[member.name] != nil || others?.value != .bool(false)
            }
            return try fits(member.value, own, schema.pointer, depth: depth + 1)
        }
    }

    /// The look of texts of a format; what has another one is no value of its schema.
    private static let looks = [
        "date": #"^\d{4}-\d\d-\d\d$"#,
        "date-time": #"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$"#,
        "uuid": #"^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"#,
        "email": #"^[^@ ]+@[^@ ]+$"#, "uri": #"^[a-zA-Z][a-zA-Z0-9+.-]*:[^ ]+$"#,
    ]

    /// True if a text has the length, the format and the pattern of a schema.
    func isText(_ text: String, as schema: OpenAPISchema) -> Bool {
        let count = Double(text.unicodeScalars.count)
        let look = schema.text("format").flatMap { Self.looks[$0.lowercased()] }
        return schema.parts.allSatisfy { part in
            (part.number("minLength") ?? count) <= count
                && count <= (part.number("maxLength") ?? count)
                && part.text("pattern").map { Self.isSafe($0, text) ? matches(text, $0) : true }
                    ?? true
        } && look.map { matches(text, $0) } ?? true
    }

    /// False for an expression that could take as long as it likes.
    static func isSafe(_ pattern: String, _ text: String) -> Bool {
        ![")+", ")*", "){"].contains { pattern.contains($0) } && text.utf8.count < 200
            && pattern.count(where: { "+*".contains($0) }) < 4
    }

    /// True if a text matches an expression; one that is not understood says nothing.
    private func matches(_ text: String, _ pattern: String) -> Bool {
        let known = expressions[pattern] ?? (try? Regex(pattern))
        if expressions[pattern] == nil { expressions[pattern] = .some(known) }
        return known.map { (try? $0.firstMatch(in: text)) != nil } ?? true
    }
}
