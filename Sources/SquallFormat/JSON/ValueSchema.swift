/// The keywords of a JSON Schema that tell a value of another kind, which servers refuse.
///
/// They are `type`, `enum`, `properties`, `required`, `items`, `allOf`, `anyOf`, `oneOf`, the
/// limits of numbers, texts and lists, `additionalProperties` where it is false, and the formats
/// `int32` and `int64`. Of alternatives one must hold, or more: which one a server means, it tells
/// by more than these keywords. As most servers do, it takes a text that reads as the number or the
/// flag that is asked for, and null in place of a member that need not be there.
public struct ValueSchema: Sendable {
    private let schema: JSON

    /// The schema with these keywords; others say nothing.
    public init(_ schema: JSON = .object([:])) { self.schema = schema }

    /// The schema that also has members which must be there.
    public func requiring(_ names: [String]) -> ValueSchema {
        var members = schema.members
        members["required"] = .array(Set(required + names).sorted().map { .string($0) })
        return ValueSchema(.object(members))
    }

    /// The names of the members that must be there.
    public var required: [String] { Self.texts(schema.members["required"]) }

    /// True if it allows a value.
    public func accepts(_ value: JSON) -> Bool { Self.accepts(value, schema.members) }

    /// True if it allows the fields of a form, each a text; of lists and objects nothing is said.
    public func accepts(form field: (String) -> String?) -> Bool {
        Self.accepts(form: field, schema.members)
    }

    private static func accepts(
        form field: (String) -> String?, _ schema: [String: JSON]
    ) -> Bool {
        texts(schema["required"]).allSatisfy { field($0) != nil }
            && hold(in: schema) { accepts(form: field, $0) }
            && (schema["properties"]?.members ?? [:]).allSatisfy { name, property in
                let types = texts(property.members["type"])
                guard let text = field(name), !types.contains("array"), !types.contains("object")
                else { return true }
                return accepts(.string(text), property.members)
            }
    }

    /// True if all of `allOf` hold, and one of `anyOf` and of `oneOf`.
    private static func hold(
        in schema: [String: JSON], _ holds: ([String: JSON]) -> Bool
    ) -> Bool {
        func parts(_ name: String) -> [JSON] {
            if case .array(let all)? = schema[name] { all } else { [] }
        }
        return parts("allOf").allSatisfy { holds($0.members) }
            && ["anyOf", "oneOf"].map(parts).allSatisfy { all in
                all.isEmpty || all.contains { holds($0.members) }
            }
    }

    private static func accepts(_ value: JSON, _ schema: [String: JSON]) -> Bool {
        let types = texts(schema["type"])
        guard hold(in: schema, { accepts(value, $0) }) else { return false }
        let value = types.contains("string") ? value : read(value)
        guard types.isEmpty || types.contains(where: { isOf($0, value) }) else { return false }
        if case .array(let choices)? = schema["enum"] {
            guard choices.map(read).contains(read(value)) else { return false }
        }
        switch value {
        case .object(let members): return accepts(members, schema)
        case .array(let elements):
            guard isWithin(Double(elements.count), schema, "Items") else { return false }
            guard let items = schema["items"]?.members else { return true }
            return elements.allSatisfy { accepts($0, items) }
        case .string(let text):
            return isWithin(Double(text.unicodeScalars.count), schema, "Length")
        default:
            guard let number = number(value) else { return true }
            let range = schema["format"].flatMap { ranges[$0] }
            return isWithin(number, schema, "imum") && range?.contains(number) != false
        }
    }

    /// The numbers that formats allow.
    private static let ranges: [JSON: ClosedRange<Double>] = [
        "int32": -0x1p31...0x1p31 - 1, "int64": -0x1p63...0x1p63,
    ]

    private static func accepts(_ members: [String: JSON], _ schema: [String: JSON]) -> Bool {
        let required = texts(schema["required"])
        let known = schema["properties"]?.members ?? [:]
        let isClosed = schema["additionalProperties"] == .bool(false)
        guard required.allSatisfy({ members[$0] != nil }),
            !isClosed || members.keys.allSatisfy({ known[$0] != nil })
        else { return false }
        return known.allSatisfy { name, property in
            guard let value = members[name], value != .null || required.contains(name)
            else { return true }
            return accepts(value, property.members)
        }
    }

    /// A text as the number or the flag that it reads as.
    private static func read(_ value: JSON) -> JSON {
        guard case .string(let text) = value else { return value }
        if let flag = Bool(text.lowercased()) { return .bool(flag) }
        return Int64(text).map { .integer($0) } ?? Double(text).map { .number($0) } ?? value
    }

    private static func isOf(_ type: String, _ value: JSON) -> Bool {
        switch (type, value) {
        case ("boolean", .bool), ("boolean", .integer(0)), ("boolean", .integer(1)),
            ("string", .string), ("array", .array), ("object", .object), ("null", .null):
            true
        case ("number", _): number(value) != nil
        case ("integer", _): number(value).map { $0 == $0.rounded() } ?? false
        default: false
        }
    }

    private static func isWithin(
        _ number: Double, _ schema: [String: JSON], _ name: String
    ) -> Bool {
        func limit(_ word: String) -> Double? { schema[word + name].flatMap(self.number) }
        return (limit("min") ?? number) <= number && number <= (limit("max") ?? number)
            && (limit("exclusiveMin") ?? -.infinity) < number
            && number < (limit("exclusiveMax") ?? .infinity)
    }

    private static func number(_ value: JSON) -> Double? {
        switch value {
        case .integer(let number): Double(number)
        case .unsigned(let number): Double(number)
        case .number(let number): number
        default: nil
        }
    }

    /// A text alone or the texts of a list.
    public static func texts(_ value: JSON?) -> [String] {
        switch value {
        case .string(let text)?: [text]
        case .array(let all)?:
            all.compactMap { if case .string(let text) = $0 { text } else { nil } }
        default: []
        }
    }
}
