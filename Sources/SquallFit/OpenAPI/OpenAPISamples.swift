import SquallFormat

/// Bodies that a document's schemas describe, as a profile writes them: its examples first, then
/// the values that its words, formats and limits allow.
final class OpenAPISamples {
    let file: OpenAPIFile
    /// Objects that responses share, by the names that stand for them there.
    private(set) var objects: [ProfileValue.Member] = []
    private var names: Set<String>
    private var known: [String: Sample] = [:]
    private var bytes = 0
    /// True while an alternative is looked for that no other one allows, which happens in one
    /// schema at a time: with ten alternatives on each of twelve levels it would never end.
    private var isSearching = false

    /// A value, and its size in bytes with all objects in their places.
    struct Sample {
        let value: ProfileValue
        let bytes: Int
        /// True where strict clients refuse it: one of several alternatives must hold and more do,
        /// or the schema contradicts itself; it stands only where a value must be.
        var isDoubtful = false

        init(_ value: ProfileValue, bytes: Int? = nil, isDoubtful: Bool = false) {
            (self.value, self.bytes) = (value, bytes ?? value.json.utf8.count)
            self.isDoubtful = isDoubtful
        }
    }

    /// The purpose of a body.
    enum Use {
        /// A response, in which variables and common objects may stand.
        case response
        /// A request: the required members.
        case request
        /// A refusal that is always the same; its free texts say this, its status is this, and so
        /// is its `error` where OAuth names one (RFC 6749, §5.2).
        case literal(String, status: Int, error: String?)

        var isResponse: Bool { if case .response = self { true } else { false } }
    }

    /// The most bytes of an object, and of all of a draft's, from which on optional members are
    /// left out.
    private static let (objectMax, allMax) = (30_000, 400_000)
    private static let depthMax = 10

    init(file: OpenAPIFile) {
        self.file = file
        names = Set(["number", "key", "uuid", "email", "rows"] + Self.pageNames)
    }

    private static let pageNames = [
        "total", "count", "size", "offset", "page", "pages", "next", "nextNumber", "nextText",
        "nextURL", "previousURL", "more", "link",
    ]

    /// The value of a schema; `nil` where it has none without end.
    func sample(
        _ node: JSONNode, _ pointer: String, name: String = "", for use: Use,
        within: [String] = []
    ) throws -> Sample? {
        guard let target = node.text("$ref"), !file.hasSiblings(node) else {
            // What it is composed of may have it as a part.
            let targets = ([node] + (node["allOf"]?.elements ?? [])).compactMap { $0.text("$ref") }
            guard !targets.contains(where: within.contains) else { return nil }
            return try inline(file.schema(node, pointer), name, use, within + targets)
        }
        guard !within.contains(target) else { return nil }
        let inner = within + [target]
        let schema = try file.schema(node, pointer)
        guard use.isResponse, schema.type == "object", !schema.properties.isEmpty else {
            return try inline(schema, name, use, inner)
        }
        if let known = known[target] { return known }
        guard let made = try inline(schema, name, use, inner) else { return nil }
        let last = target.split(separator: "/").last.map(String.init) ?? "Object"
        let fit = last.filter { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
        let own = names.insert(numbering: String((fit.isEmpty ? "Object" : fit).prefix(36)))
        objects.append((own, made.value))
        bytes += made.value.json.utf8.count
        let sample = Sample("{{\(own)}}", bytes: made.bytes, isDoubtful: made.isDoubtful)
        known[target] = sample
        return sample
    }

    private func inline(
        _ schema: OpenAPISchema, _ name: String, _ use: Use, _ within: [String]
    ) throws -> Sample? {
        if let told = try told(by: schema, name, use) { return told }
        if schema.isNull { return Sample(ProfileValue(json: "null")) }
        for key in ["oneOf", "anyOf"] {
            guard let alternatives = schema[key]?.elements else { continue }
            if alternatives.isEmpty, schema.type == nil {
                return Sample("\(name)", isDoubtful: true)
            }
            guard !alternatives.isEmpty else { continue }
            if let sample = try alternative(of: schema, key, alternatives, name, use, within) {
                return sample
            }
            guard schema.properties.isEmpty else { break }
            return schema.allowsNull ? Sample(ProfileValue(json: "null")) : nil
        }
        let made: Sample?
        switch schema.type {
        case "object": made = try object(schema, name, use, within)
        case "array": made = try array(schema, name, use, within)
        case "integer", "number", "boolean", "string", nil:
            let value = OpenAPIScalar(file: file, schema: schema, name: name, use: use).value
            let isSound = try node(of: value).map { try file.fits($0, schema) } ?? true
            return Sample(value, isDoubtful: !isSound)
        default: return Sample(ProfileValue(json: "null"))
        }
        guard var made, schema.choices != nil || !schema.allows(schema.type ?? "") else {
            return made
        }
        made.isDoubtful = true
        return made
    }

    /// The value that the document states: a constant, an example, a default or one of a few.
    private func told(
        by schema: OpenAPISchema, _ name: String, _ use: Use
    ) throws -> Sample? {
        if let constant = schema["const"] { return Sample(ProfileValue(constant)) }
        let scalar = OpenAPIScalar(file: file, schema: schema, name: name, use: use)
        if let own = try scalar.ofRefusal { return Sample(own) }
        let choices =
            try schema.choices?.filter { try $0.value != .null && file.fits($0, schema) } ?? []
        let isKey = use.isResponse && OpenAPIScalar.isKey(name)
        if isKey, choices.isEmpty, ["integer", "string"].contains(schema.type) { return nil }
        let given =
            [schema["example"]] + (schema["examples"]?.elements ?? []).map(Optional.some)
            + [schema["default"]]
        for case let value? in given where try isUsable(value, schema) {
            return Sample(ProfileValue(value))
        }
        return choices.first.map { Sample(ProfileValue($0)) }
    }

    /// True for an example that a client could read, and that is no object of our own.
    private func isUsable(_ value: JSONNode, _ schema: OpenAPISchema) throws -> Bool {
        switch value.value {
        case .null: return false
        // An object's own members have examples and numbers; it would be the same each time.
        case .object where !schema.properties.isEmpty: return false
        case .array(let elements) where elements.isEmpty: return false
        case .string(let text) where text.contains("{{"): return false
        default: break
        }
        guard JSON(value).line.utf8.count < 4_000 else { return false }
        return try file.fits(value, schema)
    }

    private func alternative(
        of schema: OpenAPISchema, _ key: String, _ alternatives: [JSONNode], _ name: String,
        _ use: Use, _ within: [String]
    ) throws -> Sample? {
        let isAlone =
            schema.properties.isEmpty && schema.parts.count == 1
            && schema["type"].map { $0.text == "object" } ?? true
        var first: Sample?
        let wasSearching = isSearching
        defer { isSearching = wasSearching }
        for (index, node) in alternatives.enumerated() where node.text("type") != "null" {
            let place = "\(schema.pointer)/\(key)/\(index)"
            let target = node.text("$ref")
            guard target.map(within.contains) != true else { continue }
            if first != nil {
                guard !wasSearching else { break }
                isSearching = true
            }
            let fixed = try kind(of: node, schema, key, place)
            let chosen =
                try isAlone && fixed.isEmpty
                ? sample(node, place, name: name, for: use, within: within)
                : composed(
                    merged(schema, without: key, node, place), name, use,
                    within + [target].compactMap(\.self), fixed)
            guard var chosen else { continue }
            var others = alternatives
            others.remove(at: index)
            let isOther = try key == "oneOf" && fits(chosen, anyOf: others, place)
            if !isOther, !chosen.isDoubtful { return chosen }
            chosen.isDoubtful = true
            first = first ?? chosen
        }
        return first
    }

    private func composed(
        _ schema: OpenAPISchema, _ name: String, _ use: Use, _ within: [String],
        _ fixed: [String: ProfileValue]
    ) throws -> Sample? {
        let isDecided = ["oneOf", "anyOf"].allSatisfy { schema[$0]?.elements.isEmpty ?? true }
        return try schema.type == "object" && (isDecided || !fixed.isEmpty)
            ? object(schema, name, use, within, fixed: fixed) : inline(schema, name, use, within)
    }

    /// True if a value is one of some alternatives, too; one too large to be looked at is none.
    private func fits(
        _ sample: Sample, anyOf alternatives: [JSONNode], _ place: String
    ) throws -> Bool {
        guard sample.bytes < 10_000, !alternatives.isEmpty, let value = node(of: sample.value)
        else { return false }
        return try alternatives.contains { try file.fits(value, $0, place) }
    }

    /// True if a schema allows a value as a client sends it.
    func isAccepted(_ value: ProfileValue, by schema: ValueSchema) -> Bool {
        node(of: value).map { schema.accepts(JSON($0)) } ?? false
    }

    /// A value as a client reads it, with its objects in their places.
    private func node(of value: ProfileValue) -> JSONNode? {
        (try? JSONParser.parse(Array(value.json.utf8))).map(filled)
    }

    private func filled(_ node: JSONNode) -> JSONNode {
        func own(_ value: JSONNode.Value) -> JSONNode { JSONNode(value: value, place: node.place) }
        switch node.value {
        case .array(let elements): return own(.array(elements.map(filled)))
        case .object(let members):
            return own(
                .object(
                    members.map {
                        JSONNode.Member(name: $0.name, place: $0.place, value: filled($0.value))
                    }))
        case .string("{{number}}"): return own(.number("1"))
        case .string("{{uuid}}"): return own(.string(OpenAPIScalar.uuid))
        case .string("{{email}}"): return own(.string(OpenAPIScalar.email))
        case .string(let text) where text.contains("{{"):
            let object = objects.first { "{{\($0.name)}}" == text }?.value
            return object.flatMap(self.node)
                ?? own(
                    .string(text.replacing("{{number}}", with: "1").replacing("{{key}}", with: "1"))
                )
        default: return node
        }
    }

    /// A schema with one of its alternatives in their place; those of other parts stay to choose.
    private func merged(
        _ schema: OpenAPISchema, without key: String, _ node: JSONNode, _ place: String
    ) throws -> OpenAPISchema {
        var own = schema.parts
        if let index = own.firstIndex(where: { $0[key] != nil }) {
            let kept = own[index].members.filter { $0.name != key }
            own[index] = JSONNode(value: .object(kept), place: own[index].place)
        }
        return OpenAPISchema(
            parts: try file.schema(node, place).parts + own, pointer: schema.pointer)
    }

    /// The member that names the kind of an alternative, with the name that the document maps to
    /// it, also where the alternative does not list that member; none where it has a name of its
    /// own for it.
    private func kind(
        of node: JSONNode, _ schema: OpenAPISchema, _ key: String, _ place: String
    ) throws -> [String: ProfileValue] {
        guard let kind = schema["discriminator"]?.text("propertyName"),
            let target = node.text("$ref"), let last = target.split(separator: "/").last
        else { return [:] }
        let whole = try merged(schema, without: key, node, place)
        if let member = whole.properties.first(where: { $0.name == kind }) {
            let own = try file.schema(member.value, place)
            guard own["const"] == nil, own["enum"]?.elements.count != 1 else { return [:] }
        } else {
            guard whole.type == "object", whole.permits(kind) else { return [:] }
        }
        let mapped = schema["discriminator"]?["mapping"]?.members.first { member in
            member.value.text == target || member.value.text == String(last)
        }
        return [kind: "\(mapped?.name ?? String(last))"]
    }
}

/// Objects and lists.
extension OpenAPISamples {
    func object(
        _ schema: OpenAPISchema, _ name: String, _ use: Use, _ within: [String],
        fixed: [String: ProfileValue] = [:]
    ) throws -> Sample? {
        let required = schema.required
        let all = schema.properties
        // A request without members that must be there has those that may be.
        let isShort = !use.isResponse && all.contains { required.contains($0.name) }
        var members: [ProfileValue.Member] = []
        var size = 2
        var isDoubtful = schema.isContradictory
        for member in all where !isHidden(member.value, use) {
            let isRequired = required.contains(member.name)
            if let value = fixed[member.name] {
                members.append((member.name, value))
                continue
            }
            guard isRequired || !isShort, isRequired || isRoom(size, within, members.count) else {
                continue
            }
            let place = "\(schema.pointer)/properties\(member.name.pointerPart)"
            let own = try sample(
                member.value, place, name: member.name, for: use, within: within)
            guard let own else {
                if !isRequired { continue }
                let schema = try file.schema(member.value, place)
                guard schema.parts.contains(where: \.isNullable) else { return nil }
                members.append((member.name, ProfileValue(json: "null")))
                isDoubtful = isDoubtful || !schema.allowsNull
                continue
            }
            guard isRequired || !own.isDoubtful && size + own.bytes < 2 * Self.objectMax else {
                continue
            }
            isDoubtful = isDoubtful || own.isDoubtful
            members.append((member.name, own.value))
            size += member.name.utf8.count + 4 + own.bytes
        }
        // A name that must be there, of which nothing else is said.
        let known = Set(all.map(\.name))
        members += fixed.filter { !known.contains($0.key) }.map { ($0.key, $0.value) }
        for name in required.subtracting(known).subtracting(fixed.keys).sorted()
        where use.isResponse {
            members.append((name, "\(name)"))
        }
        if members.isEmpty { return try map(schema, name, use, within) }
        return Sample(ProfileValue(members), bytes: size, isDoubtful: isDoubtful)
    }

    private func isRoom(_ size: Int, _ within: [String], _ count: Int) -> Bool {
        size < Self.objectMax && bytes < Self.allMax && within.count < Self.depthMax && count < 200
    }

    /// True for a member that is only for the other direction.
    private func isHidden(_ node: JSONNode, _ use: Use) -> Bool {
        node[use.isResponse ? "writeOnly" : "readOnly"]?.value == .bool(true)
    }

    /// An object whose names the document leaves open.
    private func map(
        _ schema: OpenAPISchema, _ name: String, _ use: Use, _ within: [String]
    ) throws -> Sample? {
        guard let values = schema["additionalProperties"], case .object(let members) = values.value,
            !members.isEmpty, within.count < Self.depthMax,
            let own = try sample(
                values, schema.pointer + "/additionalProperties", for: use, within: within)
        else { return Sample(ProfileValue(json: "{}")) }
        let names = try schema["propertyNames"].flatMap { node in
            try sample(node, schema.pointer + "/propertyNames", for: use, within: within)
        }?.value.json
        let isText = names.map { $0.hasPrefix("\"") && !$0.contains("{{") } ?? false
        let name = isText ? names ?? "" : #""name""#
        return Sample(
            ProfileValue(json: "{ \(name): \(own.value.json) }"),
            bytes: own.bytes + name.utf8.count + 5)
    }

    private func array(
        _ schema: OpenAPISchema, _ name: String, _ use: Use, _ within: [String]
    ) throws -> Sample? {
        let least = Int(min(schema.number("minItems") ?? 0, 100))
        if let items = schema["prefixItems"]?.elements, !items.isEmpty {
            let samples = try items.enumerated().map { index, item in
                try sample(item, "\(schema.pointer)/prefixItems/\(index)", for: use, within: within)
            }
            guard samples.allSatisfy({ $0 != nil }) else { return nil }
            let whole = samples.compactMap(\.self)
            return Sample(
                ProfileValue(whole.map(\.value)), bytes: whole.reduce(2) { $0 + $1.bytes + 1 })
        }
        let isEmpty = schema.number("maxItems") == 0 || within.count >= Self.depthMax && least == 0
        guard !isEmpty, let items = schema.items else {
            return Sample(ProfileValue(json: "[]"))
        }
        let own = try sample(
            items, schema.pointer + "/items", name: name, for: use, within: within)
        guard let own, least > 0 || !own.isDoubtful else {
            return least == 0 ? Sample(ProfileValue(json: "[]")) : nil
        }
        let count = max(1, least)
        return Sample(
            ProfileValue(Array(repeating: own.value, count: count)),
            bytes: 2 + count * (own.bytes + 1), isDoubtful: own.isDoubtful)
    }
}

extension ProfileValue {
    /// A value of a document on one line.
    init(_ node: JSONNode) {
        switch node.value {
        case .object(let members): self.init(members.map { ($0.name, ProfileValue($0.value)) })
        case .array(let elements): self.init(elements.map { ProfileValue($0) })
        case .string(let text): self = "\(text)"
        case .number(let text): self.init(json: text)
        case .bool(let flag): self.init(json: "\(flag)")
        case .null: self.init(json: "null")
        }
    }
}
