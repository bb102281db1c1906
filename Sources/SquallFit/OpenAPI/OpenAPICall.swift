import SquallFormat

/// A call of a document with the settings around it.
struct OpenAPICall {
    let method: String
    /// Its path in the document.
    let path: String
    let server: OpenAPIServer
    let operation: JSONNode
    let pointer: String
    /// The parameter lists of the path and of the operation, each with its pointer.
    let parameterLists: [(JSONNode, pointer: String)]
    /// True if it has a parameter `Authorization`, which some documents have instead of a scheme.
    var asksForAuthorization = false

    /// The body that clients send.
    ///
    /// With GET and HEAD they send none (RFC 9110 §9.3.1), though some documents have one there.
    var requestBody: JSONNode? {
        ["GET", "HEAD"].contains(method) ? nil : operation["requestBody"]
    }

    /// Its path on the server, in a form that profiles allow.
    var fullPath: String { Self.path(server.basePath + path) }
    /// Its verb and path in a form where calls that no router can tell apart are equal.
    var shape: String { "\(method) \(Self.shape(fullPath))" }

    /// A name for it: its operation's, or one made of its verb and path.
    var name: String {
        var told = operation.text("operationId") ?? "\(method.lowercased())\(path)"
        // FastAPI adds path and verb to a function's name.
        let added = path.map { $0.isLetter || $0.isNumber ? $0 : "_" } + "_\(method.lowercased())"
        if told.hasSuffix(String(added)), told.count > added.count + 1 {
            told.removeLast(added.count)
        }
        let words = told.split { !($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
        let whole = words.joined(separator: "-")
        return String((whole.isEmpty ? "call" : whole).prefix(34))
    }

    /// A path in which each part has one variable at the most; one with several is a variable.
    static func path(_ text: String) -> String {
        // A fragment (#…) only distinguishes calls of one path, and so does a query; the first is
        // never sent to a server, and no router looks at the second.
        var text = text.prefix { !"#?".contains($0) }
        if text.last == "{" { text.removeLast() }
        let parts = text.split(separator: "/").map { part -> String in
            // Written by hand, variables also look as in Flask (<id>) and in Express (:id).
            var part = part.replacing("<", with: "{").replacing(">", with: "}")[...]
            if part.hasPrefix(":") { part = "{\(part.dropFirst())}" }
            guard let open = part.firstIndex(of: "{") else {
                return String(part.filter { !" {}".contains($0) })
            }
            let rest = part[part.index(after: open)...]
            let name = rest.prefix { $0 != "}" }.filter { !" {?".contains($0) }
            let own = "{\(name.isEmpty ? "id" : String(name))}"
            guard let close = rest.firstIndex(of: "}"), !rest.dropFirst().contains("{"),
                !rest[rest.index(after: close)...].contains("}")
            else { return own }
            let ends = (part[..<open], rest[rest.index(after: close)...])
            return [String(ends.0), own, String(ends.1)].joined().filter { !" ?".contains($0) }
        }
        // Servers that want a slash at the end redirect calls without it.
        let end = text.hasSuffix("/") && !parts.isEmpty ? "/" : ""
        return String(("/" + parts.joined(separator: "/") + end).prefix(200))
    }

    /// The form of a path in which paths that no router can tell apart are equal.
    static func shape(_ path: String) -> String {
        path.split(separator: "/").map { part -> String in
            guard let open = part.firstIndex(of: "{"), let close = part.lastIndex(of: "}") else {
                return String(part)
            }
            return String(part[...open]) + String(part[close...])
        }.joined(separator: "/")
    }
}
