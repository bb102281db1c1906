import SquallFormat

/// An OpenAPI document with functions to look up its parts.
///
/// A document of a kilobyte can refer to itself in more ways than there is time to follow. Each
/// object on the way to a target is indexed once, and the work of following references is counted.
final class OpenAPIFile {
    let root: JSONNode
    let name: String
    private var targets: [String: [String: JSONNode]] = [:]
    private var stepsLeft: Int
    private var lost: [String: (order: Int, error: OpenAPIError)] = [:]
    /// Patterns that were read before; `nil` for one that is not understood.
    var expressions: [String: Regex<AnyRegexOutput>?] = [:]

    /// A document; real ones of a thousand calls take a quarter of these steps, and all of them
    /// take seconds.
    init(root: JSONNode, name: String, stepsMax: Int = 2_000_000) {
        (self.root, self.name, stepsLeft) = (root, name, stepsMax)
    }

    private static let methods = ["get", "post", "put", "patch", "delete", "head"]

    /// The server of calls for which neither path nor operation names one.
    var server: OpenAPIServer { OpenAPIServer(root["servers"]) }

    func error(_ node: JSONNode?, _ pointer: String, _ problem: String) -> OpenAPIError {
        OpenAPIError(name, node?.place, pointer, problem)
    }

    /// Checks that the document is OpenAPI 3.
    func checkVersion() throws {
        guard case .object = root.value else {
            throw error(
                root, "",
                "must be an object, got \(root.summary); servers have their document often at"
                    + " /openapi.json")
        }
        if let old = root["swagger"] {
            throw error(
                old, "/swagger",
                "is version \(old.summary); OpenAPI 3 and Swagger 2 are read, so convert it"
                    + " first, as on editor.swagger.io")
        }
        guard let version = root["openapi"] else {
            let isCollection = root["info"]?["schema"]?.summary.contains("postman") == true
            throw error(
                root, "/openapi",
                isCollection
                    ? "is missing: this is a Postman collection, and OpenAPI 3 is read; convert it"
                        + " first, as with: npx postman-to-openapi \(name) -f api.yaml"
                    : "is missing, so this is no OpenAPI 3; squall new without --openapi writes a"
                        + " profile to fill in")
        }
        switch version.value {
        // Without quotes 3.0 is a number in YAML.
        case .string(let text), .number(let text):
            if text.hasPrefix("3.") { return }
        default: break
        }
        throw error(version, "/openapi", "must begin with \"3.\", got \(version.summary)")
    }

    /// The calls in the document's order; calls with other verbs are left out.
    func calls() throws -> [OpenAPICall] {
        guard let paths = root["paths"] else {
            throw error(root, "/paths", "is missing: there is no call to make a profile of")
        }
        let server = server
        return try members(of: paths, "/paths").flatMap { path -> [OpenAPICall] in
            let pointer = "/paths" + path.name.pointerPart
            guard path.name.hasPrefix("/") else {
                if path.name.hasPrefix("x-") { return [] }
                throw OpenAPIError(name, path.place, pointer, "must begin with /")
            }
            let item = try resolved(path.value, pointer)
            let shared = item["parameters"].map { ($0, pointer) }
            let near = item["servers"].map { OpenAPIServer($0, near: server) } ?? server
            return try members(of: item, pointer).compactMap { member in
                guard Self.methods.contains(member.name) else { return nil }
                let pointer = "\(pointer)/\(member.name)"
                _ = try members(of: member.value, pointer)
                var call = OpenAPICall(
                    method: member.name.uppercased(), path: path.name,
                    server: member.value["servers"].map { OpenAPIServer($0, near: near) } ?? near,
                    operation: member.value, pointer: pointer,
                    parameterLists: [
                        shared, member.value["parameters"].map { ($0, pointer) },
                    ].compactMap(\.self))
                call.asksForAuthorization = try parameters(of: call).contains {
                    $0.text("in") == "header" && $0["required"]?.value == .bool(true)
                        && $0.text("name")?.lowercased() == "authorization"
                }
                return call
            }
        }
    }

    /// The parameters of a call: those of its path and its own, which go before others of a name.
    func parameters(of call: OpenAPICall) throws -> [JSONNode] {
        let all = try call.parameterLists.map { list, pointer in
            let pointer = pointer + "/parameters"
            guard case .array(let elements) = list.value else {
                throw error(list, pointer, "must be a list, got \(list.summary)")
            }
            return try elements.enumerated().map {
                try resolved($0.element, "\(pointer)/\($0.offset)")
            }
        }
        var known: Set<[String?]> = []
        let chosen = all.reversed().map { list in
            list.filter { known.insert([$0.text("in"), $0.text("name")]).inserted }
        }
        return chosen.reversed().flatMap(\.self)
    }

    /// The members of an object; throws for any other value.
    func members(of node: JSONNode, _ pointer: String) throws -> [JSONNode.Member] {
        guard case .object(let members) = node.value else {
            throw error(node, pointer, "must be an object, got \(node.summary)")
        }
        return members
    }

    /// Counts the visit of a node: one, plus its size; throws for documents that need too many.
    private func count(_ node: JSONNode, _ pointer: String) throws {
        stepsLeft -= 1 + node.members.count + node.elements.count
        guard stepsLeft > 0 else {
            throw error(node, pointer, "is referred to so often that reading it has no end")
        }
    }

    /// The value at a pointer such as `/components/schemas/Pet`; nil if there is none.
    private func node(at pointer: Substring) -> JSONNode? {
        guard let slash = pointer.lastIndex(of: "/") else { return pointer.isEmpty ? root : nil }
        let parent = String(pointer[..<slash])
        let name = pointer[pointer.index(after: slash)...]
            .replacing("~1", with: "/").replacing("~0", with: "~")
        if targets[parent] == nil {
            let node = node(at: pointer[..<slash])
            let named = node?.members.map { ($0.name, $0.value) } ?? []
            let numbered = node?.elements.enumerated().map { ("\($0.offset)", $0.element) } ?? []
            targets[parent] = Dictionary(named + numbered) { first, _ in first }
        }
        return targets[parent]?[String(name)]
    }

    private func lack(of target: String, _ node: JSONNode, _ pointer: String) -> OpenAPIError {
        let way =
            target.hasPrefix("#/")
            ? ", which is not there"
            : "; put all into one file, as with: npx @redocly/cli bundle \(name) -o api.json"
        return error(node, pointer, "refers to \"\(target.excerpt())\"" + way)
    }

    /// The references that lead nowhere, in the order in which they were met.
    var lacks: [OpenAPIError] { lost.values.sorted { $0.order < $1.order }.map(\.error) }

    /// The node itself, or the node that its reference leads to; an empty one where it leads
    /// nowhere.
    func resolved(_ node: JSONNode, _ pointer: String) throws -> JSONNode {
        var node = node
        // A reference may lead to a reference; a longer chain is a circle.
        for _ in 0..<32 {
            try count(node, pointer)
            guard let reference = node["$ref"] else { return node }
            guard case .string(let target) = reference.value else {
                throw error(reference, pointer, "has a $ref that is no text")
            }
            guard target.hasPrefix("#/"), let found = self.node(at: target.dropFirst()) else {
                if lost[target] == nil {
                    lost[target] = (lost.count, lack(of: target, reference, pointer))
                }
                return JSONNode(value: .object([]), place: node.place)
            }
            node = found
        }
        throw error(
            node, pointer, "refers to itself, or on and on through more than 32 references")
    }
}

extension String {
    /// A name as a step of a JSON pointer, with its slash.
    var pointerPart: String { SettingPath.root.appending(self).pointer }
}
