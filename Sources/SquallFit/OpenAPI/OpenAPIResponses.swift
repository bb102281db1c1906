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
        let status: Int
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
            return Answer(status: status, node: node, pointer: place, media: media(of: node, place))
        }
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
        endpoint.request = try request(of: call)
        if endpoint.request == nil, let pointer = Optional(call.pointer + "/requestBody"),
            let body = try call.operation["requestBody"].map({ try file.resolved($0, pointer) }),
            media(of: body, pointer) != nil
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
        if let headers = try headers(of: answer, status, call) {
            parts.append(("headers", headers))
        }
        endpoint.response = ProfileValue(parts)
        endpoint.errors = try errors(of: call, endpoint)
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
        let schema = media.node.schemaOfMedia
        let pointer = media.pointer + "/schema"
        guard answer.isJSON else {
            guard media.type.hasPrefix("text/") else {
                (endpoint.bytes, endpoint.reads) = (50_000, "bytes")
                return []
            }
            endpoint.reads = "text"
            return [("body", "\(Self.example(of: media.node)?.text ?? "text")")]
        }
        if let schema, call.method == "GET",
            let list = try OpenAPIList(
                schema, pointer, samples, isPaged: paging.isPaged, at: call.path),
            let row = try samples.sample(
                list.items.node, list.items.pointer, for: .response)?.value
        {
            let size = paging.usualSize ?? list.least.map { Int64($0) } ?? 20
            let rows = min(max(size, 1), Int64(min(list.most ?? 10_000, 10_000)))
            endpoint.rows = rows
            endpoint.rowMembers = try members(of: list.items)
            endpoint.isSizeAssumed = paging.usualSize == nil
            endpoint.list = paging.setting(objects: 1_000, rows: rows)
            return [("body", list.body), ("row", row)]
        }
        return [("body", try object(media, schema, pointer))]
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
        if let example = Self.example(of: media.node), JSON(example).line.utf8.count < 20_000,
            !JSON(example).line.contains("{{"),
            try schema.map({ try file.fits(example, $0, pointer) }) ?? true
        {
            return ProfileValue(example)
        }
        guard let schema else { return ProfileValue(json: "{}") }
        return try samples.sample(schema, pointer, for: .response)?.value
            ?? ProfileValue(json: "{}")
    }

    static func example(of media: JSONNode) -> JSONNode? {
        media["example"] ?? media["examples"]?.members.lazy.compactMap { $0.value["value"] }.first
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
    private func errors(
        of call: OpenAPICall, _ endpoint: DeclaredAPI.Endpoint
    ) throws -> [ProfileValue] {
        let isAsked = endpoint.request != nil
        let wanted: Set = isAsked ? [400, 404, 422] : []
        return try answers(of: call).filter { wanted.contains($0.status) }.compactMap { answer in
            guard let body = try error(answer) else { return nil }
            let type = answer.media?.type ?? "application/json"
            return [
                "status": ProfileValue(answer.status),
                "type": type == "application/json" ? nil : "\(type)", "body": body,
            ]
        }
    }

    /// The body of an error; `nil` where the document declares none.
    func error(_ answer: Answer, saying words: String? = nil) throws -> ProfileValue? {
        guard answer.isJSON, let media = answer.media else { return nil }
        if let example = Self.example(of: media.node), words == nil {
            return ProfileValue(example)
        }
        guard let schema = media.node["schema"] else { return nil }
        return try samples.sample(
            schema, media.pointer + "/schema",
            for: words.map { .literal($0, status: answer.status) } ?? .response)?.value
    }
}

extension OpenAPIResponses {
    /// The parts that a request must have; `nil` where nothing is declared.
    func request(of call: OpenAPICall) throws -> ProfileValue? {
        var (query, path, headers): ([String], [ProfileValue.Member], [ProfileValue.Member]) =
            ([], [], [])
        for parameter in try file.parameters(of: call) {
            guard let name = parameter.text("name"), name.lowercased() != tokenName else {
                continue
            }
            let content = parameter["content"]?.members.first?.value
            let schema = parameter["schema"] ?? content?["schema"] ?? parameter
            let place = "\(call.pointer)/parameters\(name.pointerPart)"
            let isRequired = parameter["required"]?.value == .bool(true)
            let example = parameter["example"] ?? Self.example(of: parameter)
            switch parameter.text("in") {
            case "query" where isRequired:
                let value = try text(name, of: schema, example, place)
                query.append("\(name.inQuery)=\(value.inQuery)")
            case "header" where isRequired:
                let own = ["authorization", "content-type", "accept", "cookie"]
                guard !own.contains(name.lowercased()) else { continue }
                headers.append((name, "\(try text(name, of: schema, example, place))"))
            case "path":
                if let value = try variable(schema, example, name, place) {
                    path.append((name, value))
                }
            default: continue
            }
        }
        let body = try requestBody(of: call)
        guard !query.isEmpty || !path.isEmpty || !headers.isEmpty || body != nil else { return nil }
        return ProfileValue([
            ("query", query.isEmpty ? nil : "\(query.joined(separator: "&"))"),
            ("path", path.isEmpty ? nil : ProfileValue(path)),
            ("headers", headers.isEmpty ? nil : ProfileValue(headers)),
            ("body", body?.value), ("required", body?.required),
            ("type", body?.type == "json" ? nil : body.map { "\($0.type)" }),
            ("otherTypes", body?.others),
        ])
    }

    /// The value of a variable of a path; `nil` where any number will do.
    private func variable(
        _ node: JSONNode, _ example: JSONNode?, _ name: String, _ pointer: String
    ) throws -> ProfileValue? {
        let schema = try file.schema(node, pointer)
        let isTold = example != nil || schema["enum"] != nil || schema["const"] != nil
        if !isTold, schema.type == "integer" { return "{{number}}" }
        let format = schema.text("format") ?? ""
        if !isTold, format.lowercased().hasPrefix("uuid") { return "{{uuid}}" }
        guard isTold || !format.isEmpty || schema["pattern"] != nil || schema["example"] != nil
        else { return nil }
        return "\(try text(name, of: node, example, pointer))"
    }

    /// How a body of a media type is written; `nil` for one that no profile writes.
    private static func way(of mediaType: String) -> String? {
        let ways = [
            "json": "json", "x-www-form-urlencoded": "form", "multipart/form-data": "multipart",
        ]
        return ways.first { mediaType.lowercased().contains($0.key) }?.value
    }

    /// The other types of a body, each with the members that it must have.
    private func others(
        than own: String, of body: JSONNode, _ pointer: String
    ) throws -> ProfileValue? {
        var others: [ProfileValue.Member] = []
        for media in body["content"]?.members ?? [] {
            let type = Self.way(of: media.name) ?? media.name.lowercased()
            guard type != own, !others.contains(where: { $0.name == type }) else { continue }
            let place = "\(pointer)/content\(media.name.pointerPart)/schema"
            let schema = try media.value["schema"].map { try file.schema($0, place) }
            let ofResponses = schema?.properties.filter { $0.value.isReadOnly }.map(\.name) ?? []
            let names: [ProfileValue] = (schema?.required ?? []).subtracting(ofResponses).sorted()
                .map { "\($0)" }
            others.append((type, ProfileValue(names)))
        }
        return others.isEmpty ? nil : ProfileValue(others)
    }

    /// A body, its media type, its required members where it has others, too, and its other types.
    private func requestBody(
        of call: OpenAPICall
    ) throws -> (
        value: ProfileValue, type: String, required: ProfileValue?, others: ProfileValue?
    )? {
        let pointer = call.pointer + "/requestBody"
        guard let node = call.operation["requestBody"] else { return nil }
        let body = try file.resolved(node, pointer)
        guard let media = media(of: body, pointer), let type = Self.way(of: media.type),
            let schema = media.node.schemaOfMedia
        else { return nil }
        let place = media.pointer + "/schema"
        let value: ProfileValue?
        if let example = Self.example(of: media.node), try file.fits(example, schema, place),
            JSON(example).line.utf8.count < 4_000
        {
            value = ProfileValue(example)
        } else {
            value = try samples.sample(schema, place, for: .request)?.value
        }
        guard let value else { return nil }
        let names = (try? JSONParser.parse(Array(value.json.utf8)))?.members.map(\.name) ?? []
        let required = try file.schema(schema, place).required
        let own = names.filter(required.contains)
        let listed: [ProfileValue] = own.map { "\($0)" }
        return (
            value, type, own.count == names.count ? nil : ProfileValue(listed),
            try others(than: type, of: body, pointer)
        )
    }
}

extension String {
    /// The text as a part of a query.
    fileprivate var inQuery: String {
        utf8.reduce(into: "") { text, byte in
            let character = Character(Unicode.Scalar(byte))
            let isPlain = byte < 128 && (character.isLetter || character.isNumber)
            if isPlain || "-._~".utf8.contains(byte) {
                text.append(character)
            } else {
                text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
    }
}
