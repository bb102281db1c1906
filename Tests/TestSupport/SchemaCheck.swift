public import SquallFormat

/// Validates documents against a JSON Schema: the part of draft 2020-12 that Squall writes.
///
/// A keyword that is not known here is a problem, so that no rule is skipped in silence.
public struct SchemaCheck: Sendable {
    private let root: JSONNode

    /// A check against a schema, whose definitions its `$ref`s name.
    public init(_ root: JSONNode) { self.root = root }

    /// The problems of a document, each with the path of the value.
    public func problems(of document: JSONNode) -> [String] { problems(of: document, root, "") }

    /// The problems of a value against one part of the schema.
    public func problems(of value: JSONNode, in part: JSONNode) -> [String] {
        problems(of: value, part, "")
    }

    private func problems(of value: JSONNode, _ schema: JSONNode, _ path: String) -> [String] {
        guard schema.value != .bool(false) else { return ["\(path) is not allowed"] }
        return schema.members.flatMap { rule in
            isLeaf(rule.name)
                ? (isMet(rule.name, rule.value, by: value) ? [] : ["\(path) breaks \(rule.name)"])
                : inner(rule.name, rule.value, of: schema, value, path)
        }
    }

    private func isLeaf(_ keyword: String) -> Bool {
        [
            "type", "enum", "const", "minimum", "maximum", "exclusiveMinimum", "minLength",
            "maxLength", "pattern", "minItems", "maxItems", "minProperties",
        ].contains(keyword)
    }

    /// Rules about the value itself; a rule about another type is met.
    private func isMet(_ keyword: String, _ rule: JSONNode, by value: JSONNode) -> Bool {
        let limit = rule.number ?? .nan
        let number = value.number
        let count = Double(value.string?.count ?? 0)
        let size = if case .array = value.value { Double(value.list.count) } else { Double?.none }
        switch keyword {
        case "type": return (rule.string == nil ? rule.list : [rule]).contains(where: value.isOf)
        case "enum": return rule.list.contains { $0.value == value.value }
        case "const": return rule.value == value.value
        case "minimum": return number.map { $0 >= limit } ?? true
        case "maximum": return number.map { $0 <= limit } ?? true
        case "exclusiveMinimum": return number.map { $0 > limit } ?? true
        case "minLength": return value.string == nil || count >= limit
        case "maxLength": return value.string == nil || count <= limit
        case "minItems": return size.map { $0 >= limit } ?? true
        case "maxItems": return size.map { $0 <= limit } ?? true
        case "minProperties":
            return !value.isOf(JSONNode("object")) || Double(value.members.count) >= limit
        default:
            guard let text = value.string, let pattern = try? Regex(rule.string ?? "(") else {
                return value.string == nil
            }
            return text.contains(pattern)
        }
    }

    /// Rules that apply other schemas, to the value or to what is in it.
    private func inner(
        _ keyword: String, _ rule: JSONNode, of schema: JSONNode, _ value: JSONNode,
        _ path: String
    ) -> [String] {
        func isMet(_ schema: JSONNode) -> Bool { problems(of: value, schema, path).isEmpty }
        let elements = Array(value.list.enumerated())
        switch keyword {
        case "$schema", "$defs", "title", "description", "default", "then", "else": return []
        case "$ref":
            let name = rule.string?.split(separator: "/").last.map(String.init) ?? ""
            guard let target = root["$defs"]?[name] else { return ["\(path) refers to nothing"] }
            return problems(of: value, target, path)
        case "allOf": return rule.list.flatMap { problems(of: value, $0, path) }
        case "anyOf": return rule.list.contains(where: isMet) ? [] : ["\(path) is none of anyOf"]
        case "oneOf":
            let count = rule.list.count(where: isMet)
            return count == 1 ? [] : ["\(path) is \(count) of oneOf"]
        case "if":
            let branch = schema[isMet(rule) ? "then" : "else"]
            return branch.map { problems(of: value, $0, path) } ?? []
        case "items": return elements.flatMap { problems(of: $1, rule, "\(path)/\($0)") }
        case "prefixItems":
            return zip(elements, rule.list).flatMap { problems(of: $0.1, $1, "\(path)/\($0.0)") }
        case "propertyNames":
            return value.members.flatMap {
                problems(of: JSONNode(.string($0.name)), rule, "\(path)/\($0.name)")
            }
        case "required":
            guard value.isOf(JSONNode("object")) else { return [] }
            return rule.list.compactMap(\.string).filter { value[$0] == nil }
                .map { "\(path)/\($0) is missing" }
        case "properties":
            return value.members.flatMap { member in
                rule[member.name].map { problems(of: member.value, $0, "\(path)/\(member.name)") }
                    ?? []
            }
        case "additionalProperties":
            let others = value.members.filter { schema["properties"]?[$0.name] == nil }
            return others.flatMap { problems(of: $0.value, rule, "\(path)/\($0.name)") }
        default: return ["\(path): the check does not know \(keyword)"]
        }
    }
}

extension JSONNode {
    fileprivate init(_ word: String) { self.init(.string(word)) }

    /// Whether it is of a type that a schema names.
    fileprivate func isOf(_ type: JSONNode) -> Bool {
        switch (value, type.string) {
        case (.object, "object"), (.array, "array"), (.null, "null"), (.string, "string"),
            (.bool, "boolean"), (.number, "number"):
            true
        case (.number(let digits), "integer"): !digits.contains { ".eE".contains($0) }
        default: false
        }
    }
}
