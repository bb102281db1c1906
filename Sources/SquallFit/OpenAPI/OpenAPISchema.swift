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

    /// True if null is allowed, by the keyword of 3.0, a list of types or an alternative.
    var allowsNull: Bool {
        if case .bool(true)? = self["nullable"]?.value { return true }
        if self["type"]?.elements.contains(where: { $0.text == "null" }) ?? false { return true }
        return ["anyOf", "oneOf"].contains { key in
            self[key]?.elements.contains { $0.text("type") == "null" } ?? false
        }
    }

    /// True if only null is allowed.
    var isNull: Bool { self["type"] != nil && types.isEmpty }

    /// The members in the document's order; what several schemas say of one, they say together.
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
        return members
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
            parts.append(schema)
            let all = schema["allOf"]?.elements ?? []
            waiting += all.enumerated().reversed().map {
                ($0.element, "\(place)/allOf/\($0.offset)", depth + 1)
            }
        }
        return OpenAPISchema(parts: parts, pointer: pointer)
    }

    /// True for a value that fits its schema, as far as a decoder would notice.
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
            let number = Double(text) ?? 0
            if schema.text("format") == "int32", abs(number) > Double(Int32.max) { return false }
            return (schema.number("minimum") ?? number) <= number
                && number <= (schema.number("maximum") ?? number)
                && (types.isEmpty || types.contains("number")
                    || isWhole && types.contains("integer"))
        case .string(let text):
            return (types.isEmpty || types.contains("string")) && isText(text, as: schema)
        case .array(let elements):
            guard types.isEmpty || types.contains("array") else { return false }
            guard let items = schema.items else { return true }
            return try elements.prefix(20).allSatisfy {
                try fits($0, items, pointer + "/items", depth: depth + 1)
            }
        case .object(let members):
            guard types.isEmpty || types.contains("object") else { return false }
            let names = Set(members.map(\.name))
            guard schema.required.isSubset(of: names) else { return false }
            let known = Dictionary(schema.properties.map { ($0.name, $0.value) }) { $1 }
            let isOpen = schema["additionalProperties"]?.value != .bool(false)
            return try members.allSatisfy { member in
                guard let own = known[member.name] else { return isOpen }
                return try fits(member.value, own, pointer, depth: depth + 1)
            }
        }
    }

    /// True if a text has the length, the format and the pattern of a schema.
    func isText(_ text: String, as schema: OpenAPISchema) -> Bool {
        let count = Double(text.unicodeScalars.count)
        guard (schema.number("minLength") ?? count) <= count,
            count <= (schema.number("maxLength") ?? count)
        else { return false }
        switch schema.text("format")?.lowercased() {
        case "date": guard text.hasShape("0000-00-00") else { return false }
        case "date-time": guard text.isDateTime else { return false }
        case "uuid": guard text.isUUID else { return false }
        default: break
        }
        return schema.text("pattern").map { matches(text, $0) } ?? true
    }

    /// True if a text matches an expression; one that is not understood, or could take as long as
    /// it likes, says nothing.
    private func matches(_ text: String, _ pattern: String) -> Bool {
        let isNested = [")+", ")*", "){"].contains { pattern.contains($0) }
        guard !isNested, pattern.count(where: { "+*".contains($0) }) < 4, text.utf8.count < 200
        else { return true }
        let known = expressions[pattern] ?? (try? Regex(pattern))
        if expressions[pattern] == nil { expressions[pattern] = .some(known) }
        return known.map { (try? $0.firstMatch(in: text)) != nil } ?? true
    }
}

extension String {
    /// True if a text has digits where a shape has zeros, and equals the shape elsewhere.
    fileprivate func hasShape(_ shape: String) -> Bool {
        utf8.count == shape.utf8.count
            && zip(utf8, shape.utf8).allSatisfy { own, other in
                other == UInt8(ascii: "0")
                    ? UInt8(ascii: "0")...UInt8(ascii: "9") ~= own : own == other
            }
    }

    /// True for a moment as RFC 3339 writes it, with the offset from UTC.
    fileprivate var isDateTime: Bool {
        var rest = uppercased()
        if rest.hasSuffix("Z") {
            rest.removeLast()
        } else if rest.suffix(6).first.map({ "+-".contains($0) }) == true {
            rest.removeLast(6)
        } else {
            return false
        }
        let parts = rest.split(separator: ".", maxSplits: 1)
        return parts.first.map { String($0).hasShape("0000-00-00T00:00:00") } == true
            && (parts.count == 1 || parts[1].allSatisfy(\.isNumber))
    }

    fileprivate var isUUID: Bool {
        let parts = split(separator: "-", omittingEmptySubsequences: false)
        return parts.map(\.count) == [8, 4, 4, 4, 12]
            && allSatisfy { $0 == "-" || $0.isHexDigit }
    }
}
