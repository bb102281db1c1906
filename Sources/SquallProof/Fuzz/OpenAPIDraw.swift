/// Draws random OpenAPI documents: densely linked, recursive, large, with odd words in odd places.
public struct OpenAPIDraw {
    private var dice: RandomChoices

    /// Documents that some dice decide.
    public init(_ dice: RandomChoices) { self.dice = dice }

    private static let words = [
        "id", "pet", "a b", "이책저책", "{x}", "..", "%2F", "login", "refresh", "next\\n", "\\u001b",
        "x-y_z", "a/b", "~1", "", "Ünï", "\\u202e", "👩‍👩‍👧",
        "very-long-name-that-goes-on-and-on-and-on-for-ever",
    ]
    private static let types = [
        "string", "integer", "number", "boolean", "array", "object", "null", "odd", "",
    ]

    /// A document.
    public mutating func document() -> String {
        let schemas = dice.pick([1, 3, 20, 200, 2_000])
        let calls = dice.pick([1, 2, 10, 60, 400])
        let paths = (0..<calls).map { path($0, schemas) }.joined(separator: ",\n")
        let shapes = (0..<schemas).map { "\"S\($0)\": \(schema(of: schemas, depth: 0))" }
            .joined(separator: ",\n")
        return """
            {"openapi": "3.\(dice.below(3)).0", "info": {"title": "\(word())"},
             "servers": [\(server())], \(dice.chance(0.5) ? "\"security\": [{\"k\": []}]," : "")
             "paths": {\(paths)},
             "components": {"securitySchemes": {"k": \(security())}, "schemas": {\(shapes)}}}
            """
    }

    private mutating func word() -> String { dice.pick(Self.words) }

    private mutating func path(_ number: Int, _ schemas: Int) -> String {
        var path = ""
        for _ in 0...dice.below(4) { path += "/" + (dice.chance(0.3) ? "{\(word())}" : word()) }
        if dice.chance(0.7) { path += "/\(number)" }
        let method = dice.pick(["get", "post", "put", "delete", "patch", "head", "trace"])
        var operation = dice.chance(0.5) ? "\"operationId\": \"\(word())\", " : ""
        let parameter =
            #"{"in": "query", "name": "\#(dice.pick(["page", "cursor", "after"] + Self.words))"}"#
        if dice.chance(0.3) { operation += "\"parameters\": [\(parameter)], " }
        if dice.chance(0.3) {
            operation += "\"requestBody\": {\(content(schemas))}, "
        }
        return """
            "\(path)": {"\(method)": {\(operation)"responses": {"\(dice.pick(["200", "201", "2XX",
                "default", "404"]))": {\(content(schemas))}}}}
            """
    }

    private mutating func content(_ schemas: Int) -> String {
        let media = dice.pick(["application/json", "text/plain", "image/png", ""])
        return "\"content\": {\"\(media)\": {\"schema\": \(schema(of: schemas, depth: 0))}}"
    }

    private mutating func schema(of count: Int, depth: Int) -> String {
        switch dice.below(depth > 2 ? 3 : 8) {
        case 0, 1: return "{\"$ref\": \"#/components/schemas/S\(dice.below(count))\"}"
        case 2:
            let format = dice.pick(["uuid", "binary", "date-time", word()])
            return "{\"type\": \"\(dice.pick(Self.types))\", \"format\": \"\(format)\"}"
        case 3: return "{\"type\": \"array\", \"items\": \(schema(of: count, depth: depth + 1))}"
        case 4, 5:
            let key = dice.pick(["allOf", "oneOf", "anyOf"])
            let parts = (0..<(1 + dice.below(4))).map { _ in schema(of: count, depth: depth + 1) }
            return "{\"\(key)\": [\(parts.joined(separator: ", "))]}"
        default:
            let members = (0..<dice.pick([0, 1, 5, 25])).map { index in
                "\"\(word())\(index)\": \(schema(of: count, depth: depth + 1))"
            }
            return "{\"properties\": {\(members.joined(separator: ", "))}}"
        }
    }

    private mutating func server() -> String {
        let address = dice.pick([
            "https://{v0}.example.com/{v1}", "/v1", "https://a b/", "http://[::1]:80/x", "{v0}",
            "https://例え.jp", "//x", "https://example.com:99999", "HTTPS://EXAMPLE.com",
        ])
        let variables = (0..<dice.pick([0, 2, 40])).map { number in
            "\"v\(number)\": {\"default\": \"{v\(number + 1)}{v\(number + 1)}\"}"
        }
        return "{\"url\": \"\(address)\", \"variables\": {\(variables.joined(separator: ","))}}"
    }

    private mutating func security() -> String {
        let kind = dice.pick(["oauth2", "http", "apiKey", "openIdConnect", word()])
        return """
            {"type": "\(kind)", "scheme": "\(dice.pick(["bearer", "basic", word()]))",
             "in": "\(dice.pick(["header", "cookie", "query", word()]))", "name": "\(word())",
             "flows": {"password": {"tokenUrl": "\(dice.pick(["/token", "https://x/y?z", word()]))",
               "scopes": {}}}}
            """
    }
}
