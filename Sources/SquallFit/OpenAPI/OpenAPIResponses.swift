import SquallFormat

/// The requests and responses of a document's calls, as settings of an endpoint.
struct OpenAPIResponses {
    let file: OpenAPIFile
    let samples: OpenAPISamples
    /// All calls of the document.
    let calls: [OpenAPICall]
    /// The header field or parameter that calls show their token in, which is no part of a request.
    let tokenName: String?

    /// A response of a document: its status and its body.
    struct Answer {
        fileprivate(set) var status: Int
        /// False for the one of a class, as `4XX`, and for `default`.
        let isOwn: Bool
        let node: JSONNode
        let pointer: String
        /// The media type and its description; `nil` without a body.
        let media: (type: String, node: JSONNode, pointer: String)?

        var isJSON: Bool { media?.type.contains("json") ?? false }
    }

    /// The first successful response; `default` where there is none.
    func success(of call: OpenAPICall) throws -> Answer? {
        let all = try answers(of: call)
        return all.first { (200...299).contains($0.status) } ?? all.first { $0.status == 0 }
            ?? all.first { (300...399).contains($0.status) }
    }

    /// The responses in the document's order; the status of `default` is 0, that of `2XX` 200.
    func answers(of call: OpenAPICall) throws -> [Answer] {
        let pointer = call.pointer + "/responses"
        guard let responses = call.operation["responses"] else { return [] }
        return try file.members(of: responses, pointer).compactMap { member in
            let digits = member.name.uppercased().replacing("XX", with: "00")
            guard let status = member.name == "default" ? 0 : Int(digits) else { return nil }
            let place = pointer + member.name.pointerPart
            let node = try file.resolved(member.value, place)
            return Answer(
                status: status, isOwn: Int(member.name) != nil, node: node, pointer: place,
                media: media(of: node, place))
        }
    }

    /// The response to a failure with one of some statuses, the first that the document has; where
    /// it has none of them, that of their class or `default`, with the first.
    func failure(_ statuses: [Int], of call: OpenAPICall) throws -> Answer? {
        let all = try answers(of: call)
        let own = all.filter(\.isOwn)
        if let known = statuses.lazy.compactMap({ one in own.first { $0.status == one } }).first {
            return known
        }
        let isSuccess = all.contains { 200...399 ~= $0.status }
        var usual = all.first { $0.status == 400 && !$0.isOwn }
        if isSuccess { usual = usual ?? all.first { $0.status == 0 } }
        usual?.status = statuses[0]
        return usual
    }

    /// The media type that a client is most likely to read or write.
    func media(
        of node: JSONNode, _ pointer: String
    ) -> (type: String, node: JSONNode, pointer: String)? {
        let all = node["content"]?.members ?? []
        // Frameworks say JSON of files, too.
        func isFile(_ media: JSONNode.Member) -> Bool {
            (media.name.contains("json") || media.name == "*/*")
                && media.value["schema"]?.text("format") == "binary"
        }
        let words = ["json", "x-www-form-urlencoded", "multipart/form-data", "text/"]
        let others = all.filter { !isFile($0) }
        let chosen =
            words.lazy.compactMap { word in others.first { $0.name.lowercased().contains(word) } }
            .first ?? others.first ?? all.first
        return chosen.map {
            let usual = isFile($0) ? "application/octet-stream" : $0.name
            let type = usual == "*/*" ? "application/json" : usual
            return (type, $0.value, "\(pointer)/content\($0.name.pointerPart)")
        }
    }

    /// Writes the responses of a call into its endpoint.
    func fill(_ endpoint: inout DeclaredAPI.Endpoint, from call: OpenAPICall) throws {
        let (errors, sent) = (try errors(of: call), try requestBody(of: call))
        endpoint.request = try request(of: call, sent, refuses: !errors.isEmpty)
        let pointer = call.pointer + "/requestBody"
        if sent == nil, let node = try call.requestBody.map({ try file.resolved($0, pointer) }),
            media(of: node, pointer) != nil
        {
            endpoint.requestBytes = 1_000
        }
        guard let answer = try success(of: call) else {
            endpoint.response =
                call.method == "GET"
                ? ["body": ProfileValue(json: "{}")]
                : [
                    "status": 204
                ]
            return
        }
        let paging = try OpenAPIPaging(call, file)
        var parts: [ProfileValue.Member] = []
        let status = answer.status == 0 ? 200 : answer.status
        if status != 200 { parts.append(("status", ProfileValue(status))) }
        endpoint.isRedirect = (300...399).contains(status)
        if let media = answer.media, media.type.prefix(while: { $0 != ";" }) != "application/json" {
            parts.append(("type", "\(media.type)"))
        }
        parts += try body(of: answer, call, paging, &endpoint)
        if let others = try others(than: answer) { parts.append(("otherTypes", others)) }
        if let headers = try headers(of: answer, status, call) {
            parts.append(("headers", headers))
        }
        endpoint.response = ProfileValue(parts)
        endpoint.errors = endpoint.request == nil ? [] : errors
    }

    private func body(
        of answer: Answer, _ call: OpenAPICall, _ paging: OpenAPIPaging,
        _ endpoint: inout DeclaredAPI.Endpoint
    ) throws -> [ProfileValue.Member] {
        guard let media = answer.media else {
            // A success that says nothing of its body is an object where something is read.
            let isRead = call.method == "GET" && answer.status == 200
            // Apps know of 204 and 205 only that there is nothing to decode.
            if !isRead, ![204, 205].contains(answer.status) { endpoint.reads = "status" }
            return isRead ? [("body", ProfileValue(json: "{}"))] : []
        }
        let schema = file.schema(ofMedia: media.node)
        let pointer = media.pointer + "/schema"
        guard answer.isJSON else {
            guard media.type.hasPrefix("text/") else {
                (endpoint.bytes, endpoint.reads) = (50_000, "bytes")
                return []
            }
            endpoint.reads = "text"
            return [("body", "\(file.example(of: media.node)?.text ?? "text")")]
        }
        if let schema, call.method == "GET",
            let list = try OpenAPIList(
                schema, pointer, samples, isPaged: paging.isPaged, at: call.path),
            let row = try samples.sample(
                list.items.node, list.items.pointer, for: .response)?.value
        {
            let shown = try shown(of: list, media.node, file.schema(schema, pointer))
            let told = paging.isPaged || shown.isEmpty ? paging.usualSize : Int64(shown.count)
            let size = told ?? list.least.map { Int64($0) } ?? 20
            let rows = min(max(size, 1), Int64(min(list.most ?? 10_000, 10_000)))
            endpoint.rows = rows
            endpoint.rowMembers = try members(of: list.items)
            endpoint.isSizeAssumed = told == nil
            endpoint.list = paging.setting(objects: 1_000, rows: rows)
            let examples = ProfileValue(shown.map { ProfileValue($0) })
            return [
                ("body", list.body), ("row", row), ("examples", shown.isEmpty ? nil : examples),
            ]
        }
        return [("body", try object(media, schema, pointer))]
    }

    /// The objects that an example of a list has, where they fit.
    private func shown(
        of list: OpenAPIList, _ media: JSONNode, _ schema: OpenAPISchema
    ) throws -> [JSONNode] {
        for case let example? in [file.example(of: media), schema["example"]] {
            let text = JSON(example).line
            let objects = list.objects(in: example)
            guard !objects.isEmpty, text.utf8.count < Self.exampleMax, !text.contains("{{"),
                try objects.allSatisfy({ try file.fits($0, list.items.node, list.items.pointer) })
            else { continue }
            return objects
        }
        return []
    }

    /// The most bytes of an example that is served as it is.
    private static let exampleMax = 20_000

    /// The other types in which a response comes, each with its body: a text, or null for the same.
    private func others(than answer: Answer) throws -> ProfileValue? {
        guard let own = answer.media else { return nil }
        let schema = own.node["schema"].map { JSON($0) }
        let others = (answer.node["content"]?.members ?? []).prefix(10).compactMap {
            media -> ProfileValue.Member? in
            let type = media.name.lowercased()
            guard type != own.type, !type.contains("*") else { return nil }
            let isSame =
                answer.isJSON && schema != nil
                && media.value["schema"].map { JSON($0) } == schema
            let isText = own.node["schema"]?.text("type") == "string"
            if isSame, type.contains("json") || type.hasPrefix("text/plain") && !isText {
                return (type, ProfileValue(json: "null"))
            }
            let text =
                file.example(of: media.value)?.text ?? (type.hasPrefix("text/") ? "text" : nil)
            return text.flatMap { $0.contains("{{") ? nil : (type, "\($0)") }
        }
        return others.isEmpty ? nil : ProfileValue(others)
    }

    /// The names that lead to the members of a list's objects; those of objects in them last.
    private func members(of items: (node: JSONNode, pointer: String)) throws -> [[String]] {
        let own = try file.schema(items.node, items.pointer).properties
        let inner = try own.flatMap { member in
            try file.single(member.value, items.pointer).properties.map { [member.name, $0.name] }
        }
        return own.map { [$0.name] } + inner
    }

    /// The body of a response that is no list: the document's example if it fits, or the value of
    /// the schema.
    private func object(
        _ media: (type: String, node: JSONNode, pointer: String), _ schema: JSONNode?,
        _ pointer: String
    ) throws -> ProfileValue {
        if let example = file.example(of: media.node),
            JSON(example).line.utf8.count < Self.exampleMax,
            !JSON(example).line.contains("{{"),
            try schema.map({ try file.fits(example, $0, pointer) }) ?? true
        {
            return ProfileValue(example)
        }
        guard let schema else { return ProfileValue(json: "{}") }
        return try samples.sample(schema, pointer, for: .response)?.value
            ?? ProfileValue(json: "{}")
    }

    /// The headers of a response, where the document declares them.
    private func headers(
        of answer: Answer, _ status: Int, _ call: OpenAPICall
    ) throws -> ProfileValue? {
        let skipped = ["set-cookie", "content-type", "content-length", "www-authenticate"]
        var headers: [ProfileValue.Member] = []
        for member in answer.node["headers"]?.members.prefix(20) ?? [] {
            let place = "\(answer.pointer)/headers\(member.name.pointerPart)"
            let name = member.name.lowercased()
            guard !skipped.contains(name) else { continue }
            let node = try file.resolved(member.value, place)
            switch name {
            case "link": headers.append((member.name, "{{link}}"))
            case "location":
                let path = call.method == "POST" ? call.fullPath + "/{{number}}" : call.fullPath
                headers.append(
                    (member.name, "\(path.contains("{{") || !path.contains("{") ? path : "/")"))
            case let word where word.hasSuffix("total-count") || word == "x-total":
                headers.append((member.name, "{{total}}"))
            default:
                let text = try text(of: node["schema"] ?? node, node["example"], place)
                headers.append((member.name, "\(text)"))
            }
        }
        return headers.isEmpty ? nil : ProfileValue(headers)
    }

    /// A single value as text for a header, a query or a path.
    func text(_ name: String = "", of schema: JSONNode, _ example: JSONNode?, _ pointer: String)
        throws -> String
    {
        let sample = try samples.sample(
            schema, pointer, name: name, for: .request)?.value
        let value = example.map { ProfileValue($0) } ?? sample ?? "text"
        guard let node = try? JSONParser.parse(Array(value.json.utf8)) else { return "text" }
        let first = node.elements.first ?? node
        return first.text ?? (first.members.isEmpty ? JSON(first).line : "text")
    }

    /// The responses to a request that is not as the document says, where the document declares
    /// them.
    private func errors(of call: OpenAPICall) throws -> [ProfileValue] {
        let own = try answers(of: call).filter { $0.isOwn && [400, 404, 422].contains($0.status) }
        let all = own.isEmpty ? [try failure([400], of: call)].compactMap(\.self) : own
        return try all.compactMap { answer in
            let isShown = answer.media.flatMap { file.example(of: $0.node) } != nil
            let words = answer.status == 404 ? "There is none." : "The request is not valid."
            let body = try error(answer, saying: isShown ? nil : words)
            guard body != nil || answer.media == nil else { return nil }
            let type = answer.media?.type ?? "application/json"
            return [
                "status": ProfileValue(answer.status),
                "type": type == "application/json" ? nil : "\(type)", "body": body,
            ]
        }
    }

    /// The body of a sign-out, which is always the same; `nil` where the document declares none.
    func farewell(_ answer: Answer) throws -> ProfileValue? {
        guard answer.isJSON, let media = answer.media else { return nil }
        return try file.example(of: media.node).map { ProfileValue($0) }
            ?? error(answer, saying: "Signed out.")
    }

    /// The body of an error; `nil` where the document declares none.
    func error(
        _ answer: Answer, saying words: String? = nil, error: String? = nil
    ) throws -> ProfileValue? {
        guard answer.isJSON, let media = answer.media else { return nil }
        if let example = file.example(of: media.node), words == nil {
            return ProfileValue(example)
        }
        guard let schema = media.node["schema"] else { return nil }
        return try samples.sample(
            schema, media.pointer + "/schema",
            for: words.map { .literal($0, status: answer.status, error: error) } ?? .response)?
            .value
    }
}
