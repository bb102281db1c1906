import SquallFormat
import TestSupport

/// An OpenAPI document as a page that a person can review: a line for each operation and schema,
/// below a digest that no change of a byte escapes.
struct OpenAPIOutline {
    private let document: JSONNode
    private let digest: String

    init(_ text: String) throws {
        document = try JSONParser.parse(Array(text.utf8))
        digest = GoldenFile.digest(of: text)
    }

    var text: String {
        let lines = ["digest \(digest)", ""] + operations + [""] + schemas
        return lines.map { $0 + "\n" }.joined()
    }

    // Such as `GET /v1/posts  posts (query next)` and, below it, `200 Posts · 401 · 419`.
    private var operations: [String] {
        members(document["paths"]).flatMap { path, methods in
            members(methods).map { method, operation in
                let name = text(operation["operationId"])
                let input = parameters(operation) + body(operation)
                let answers = members(operation["responses"]).map { status, answer in
                    ([status] + content(answer).map(type)).joined(separator: " ")
                }
                let list = input.isEmpty ? "" : " (\(input.joined(separator: ", ")))"
                return "\(method.uppercased()) \(path)  \(name)\(list)\n    "
                    + answers.joined(separator: " · ")
            }
        }
    }

    private var schemas: [String] {
        members(document["components"]?["schemas"]).map { "\($0): \(type($1))" }
    }

    private func parameters(_ operation: JSONNode) -> [String] {
        elements(operation["parameters"]).map { "\(text($0["in"])) \(text($0["name"]))" }
    }

    private func body(_ operation: JSONNode) -> [String] {
        content(operation["requestBody"]).map { "body \(type($0))" }
    }

    private func content(_ node: JSONNode?) -> [JSONNode] {
        members(node?["content"]).compactMap { $0.1["schema"] }
    }

    /// A schema in a word, or its members, those that may be left out with a question mark.
    private func type(_ schema: JSONNode) -> String {
        if let reference = schema["$ref"] {
            return text(reference).split(separator: "/").last.map(String.init) ?? ""
        }
        if let items = schema["items"] { return "[\(type(items))]" }
        guard let properties = schema["properties"] else { return text(schema["type"]) }
        if properties["message"] != nil { return "" }
        let required = elements(schema["required"]).map(text)
        let list = members(properties).map { name, member in
            let word = type(member)
            return (required.contains(name) ? name : name + "?")
                + (word == "string" ? "" : " \(word)")
        }
        return "{\(list.joined(separator: ", "))}"
    }

    private func members(_ node: JSONNode?) -> [(String, JSONNode)] {
        guard case .object(let members) = node?.value else { return [] }
        return members.map { ($0.name, $0.value) }
    }

    private func elements(_ node: JSONNode?) -> [JSONNode] {
        if case .array(let elements) = node?.value { elements } else { [] }
    }

    private func text(_ node: JSONNode?) -> String {
        if case .string(let text) = node?.value { text } else { "" }
    }
}
