import SquallFormat

/// A Swagger 2 document in the form of OpenAPI 3, each part at its own place of the text.
///
/// What has the same name in both stays where it is, so that references need no other target: only
/// parameters, bodies, responses, servers and security schemes are written otherwise.
struct OpenAPIUpgrade {
    private let root: JSONNode

    /// The document; one of another version as it is.
    static func upgraded(_ root: JSONNode) -> JSONNode {
        guard root["swagger"]?.text == "2.0" else { return root }
        return Self(root: root).document
    }

    private var document: JSONNode {
        var members = root.members.filter { !["swagger", "paths"].contains($0.name) }.map(shared)
        members.append(member("openapi", node(.string("3.0.3"))))
        members += [server.map { member("servers", node(.array([$0]))) }].compactMap(\.self)
        let schemes = root["securityDefinitions"]?.members.map { member($0.name, scheme($0.value)) }
        members.append(
            member("components", object([member("securitySchemes", object(schemes ?? []))])))
        for paths in root.members where paths.name == "paths" {
            members.append(changed(paths) { mapped($0, path) })
        }
        return JSONNode(value: .object(members), place: root.place)
    }

    /// A part of the root: lists that are referred to are those of version 3.
    private func shared(_ part: JSONNode.Member) -> JSONNode.Member {
        switch part.name {
        case "definitions": changed(part, schema)
        case "parameters": changed(part) { mapped($0, parameter) }
        case "responses": changed(part) { mapped($0) { response($0, root) } }
        default: part
        }
    }

    private var server: JSONNode? {
        let base = root.text("basePath") ?? ""
        guard let host = root.text("host") else {
            return base.isEmpty ? nil : object([member("url", node(.string(base)))])
        }
        let schemes = root["schemes"]?.elements.compactMap(\.string) ?? []
        let scheme = schemes.contains("https") || schemes.isEmpty ? "https" : schemes[0]
        return object([member("url", node(.string("\(scheme)://\(host)\(base)")))])
    }

    private func scheme(_ old: JSONNode) -> JSONNode {
        switch old.text("type") {
        case "basic":
            return object([
                member("type", node(.string("http"))), member("scheme", node(.string("basic"))),
            ])
        case "oauth2":
            // Of the names of flows only that of passwords is read, which is the same in both.
            let flows = object([member(old.text("flow") ?? "implicit", old)])
            return object([member("type", node(.string("oauth2"))), member("flows", flows)])
        default: return old
        }
    }

    private func path(_ item: JSONNode) -> JSONNode {
        let shared = item["parameters"]?.elements ?? []
        return JSONNode(
            value: .object(
                item.members.map { part in
                    switch part.name {
                    case "parameters":
                        changed(part) { list in
                            let own = list.elements.filter { !isBody($0) }.map(parameter)
                            return JSONNode(value: .array(own), place: list.place)
                        }
                    case "$ref": part
                    default:
                        changed(part) { operation($0, shared.filter(isBody)) }
                    }
                }), place: item.place)
    }

    private func operation(_ old: JSONNode, _ shared: [JSONNode]) -> JSONNode {
        guard case .object(let members) = old.value else { return old }
        let own = old["parameters"]?.elements ?? []
        let bodies = (own.contains(where: isBody) ? own.filter(isBody) : shared).map(target)
        var result = members.filter { $0.name != "parameters" }.map { part in
            part.name == "responses"
                ? changed(part) { mapped($0) { response($0, old) } } : part
        }
        let others = own.filter { !isBody($0) }.map(parameter)
        result.append(member("parameters", node(.array(others))))
        if let body = body(bodies, old) { result.append(member("requestBody", body)) }
        return JSONNode(value: .object(result), place: old.place)
    }

    private func body(_ parameters: [JSONNode], _ operation: JSONNode) -> JSONNode? {
        guard let first = parameters.first else { return nil }
        let types = types("consumes", operation)
        if first.text("in") == "body" {
            let schema = first["schema"].map { [member("schema", self.schema($0))] } ?? []
            return object(
                first.members.filter { $0.name == "required" }
                    + [member("content", content(types ?? ["application/json"], schema))])
        }
        let fields = parameters.filter { $0.text("in") == "formData" }
        let hasFile = fields.contains { $0.text("type") == "file" }
        let forms = types?.filter { $0.contains("form") } ?? []
        let form = hasFile ? "multipart/form-data" : "application/x-www-form-urlencoded"
        let needed = fields.filter { $0["required"]?.value == .bool(true) }
        let whole = object([
            member("type", node(.string("object"))),
            member(
                "properties",
                object(fields.map { member($0.text("name") ?? "", schema(keywords($0))) })),
            member("required", node(.array(needed.compactMap { $0["name"] }))),
        ])
        return object([
            member("required", node(.bool(!needed.isEmpty))),
            member("content", content(forms.isEmpty ? [form] : forms, [member("schema", whole)])),
        ])
    }

    private func response(_ old: JSONNode, _ operation: JSONNode) -> JSONNode {
        guard old["$ref"] == nil else { return old }
        let examples = old["examples"]?.members ?? []
        // Headers are read in either form.
        var result = old.members.filter { !["schema", "examples"].contains($0.name) }
        guard old["schema"] != nil || !examples.isEmpty else {
            return JSONNode(value: .object(result), place: old.place)
        }
        let types = types("produces", operation) ?? examples.first.map { [$0.name] }
        let schema = old["schema"].map { [member("schema", self.schema($0))] } ?? []
        let media = (types ?? ["application/json"]).map { type in
            let shown = examples.first { $0.name == type }.map { [member("example", $0.value)] }
            return member(type, object(schema + (shown ?? [])))
        }
        result.append(member("content", object(media)))
        return JSONNode(value: .object(result), place: old.place)
    }

    /// The media types of an operation, or those of all; `nil` where nothing is said.
    private func types(_ name: String, _ operation: JSONNode) -> [String]? {
        let own = operation[name]?.elements.compactMap(\.string) ?? []
        let all = own.isEmpty ? root[name]?.elements.compactMap(\.string) ?? [] : own
        return all.isEmpty ? nil : all
    }

    private func content(_ types: [String], _ media: [JSONNode.Member]) -> JSONNode {
        object(types.map { member($0, object(media)) })
    }

    /// A parameter, of which all but its name and place are keywords of its schema.
    private func parameter(_ old: JSONNode) -> JSONNode {
        guard old["$ref"] == nil, old["schema"] == nil else { return old }
        let kept = old.members.filter { Self.outside.contains($0.name) }
        return JSONNode(
            value: .object(kept + [member("schema", schema(keywords(old)))]), place: old.place)
    }

    private static let outside: Set = ["name", "in", "required", "description"]

    private func keywords(_ parameter: JSONNode) -> JSONNode {
        let members = parameter.members.filter { !Self.outside.contains($0.name) }
        return JSONNode(value: .object(members), place: parameter.place)
    }

    /// A schema with the words of version 3 for null and for files.
    private func schema(_ old: JSONNode) -> JSONNode {
        switch old.value {
        case .array(let elements):
            return JSONNode(value: .array(elements.map(schema)), place: old.place)
        case .object(let members):
            let isFile = old.text("type") == "file"
            var result = members.map { part -> JSONNode.Member in
                switch part.name {
                case "example", "default", "enum": part
                case "x-nullable":
                    JSONNode.Member(name: "nullable", place: part.place, value: part.value)
                case "type" where isFile:
                    changed(part) { JSONNode(value: .string("string"), place: $0.place) }
                default: changed(part, schema)
                }
            }
            if isFile { result.append(member("format", node(.string("binary")))) }
            return JSONNode(value: .object(result), place: old.place)
        default: return old
        }
    }

    private func isBody(_ parameter: JSONNode) -> Bool {
        ["body", "formData"].contains(target(parameter).text("in"))
    }

    /// A parameter, or the one of the root that it refers to.
    private func target(_ parameter: JSONNode) -> JSONNode {
        guard let name = parameter.text("$ref")?.split(separator: "/").last else {
            return parameter
        }
        return root["parameters"]?[String(name)] ?? parameter
    }

    private func mapped(_ map: JSONNode, _ change: (JSONNode) -> JSONNode) -> JSONNode {
        guard case .object(let members) = map.value else { return map }
        return JSONNode(value: .object(members.map { changed($0, change) }), place: map.place)
    }

    private func changed(
        _ part: JSONNode.Member, _ change: (JSONNode) -> JSONNode
    ) -> JSONNode.Member {
        JSONNode.Member(name: part.name, place: part.place, value: change(part.value))
    }

    private func member(_ name: String, _ value: JSONNode) -> JSONNode.Member {
        JSONNode.Member(name: name, place: value.place, value: value)
    }

    private func object(_ members: [JSONNode.Member]) -> JSONNode { node(.object(members)) }

    private func node(_ value: JSONNode.Value) -> JSONNode {
        JSONNode(value: value, place: root.place)
    }
}
