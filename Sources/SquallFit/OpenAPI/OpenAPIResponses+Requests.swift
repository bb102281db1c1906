import SquallFormat
import SquallHTTP

extension OpenAPIResponses {
    /// The parts that a request must have, and what is checked of its texts if the call `refuses`
    /// requests; `nil` where nothing is declared.
    func request(
        of call: OpenAPICall, _ body: RequestBody?, refuses: Bool
    ) throws -> ProfileValue? {
        var (query, path, headers): ([String], [ProfileValue.Member], [ProfileValue.Member]) =
            ([], [], [])
        var checked: [String: [ProfileValue.Member]] = [:]
        let paging = try OpenAPIPaging(call, file).way
        for parameter in try file.parameters(of: call) {
            guard let name = parameter.text("name"), name.lowercased() != tokenName else {
                continue
            }
            let content = parameter["content"]?.members.first?.value
            let schema = parameter["schema"] ?? content?["schema"] ?? parameter
            let place = "\(call.pointer)/parameters\(name.pointerPart)"
            let isRequired = parameter["required"]?.value == .bool(true)
            let example = parameter["example"] ?? file.example(of: parameter)
            let kind = parameter.text("in") ?? ""
            var sent: [String] = []
            switch kind {
            case "query":
                guard isRequired else { break }
                sent = [try text(name, of: schema, example, place)]
                query.append("\(name.inQuery)=\(sent[0].inQuery)")
            case "header":
                let own = ["authorization", "content-type", "accept", "cookie"]
                guard !own.contains(name.lowercased()) else { continue }
                guard isRequired else { break }
                sent = [try text(name, of: schema, example, place)]
                headers.append((name, "\(sent[0])"))
            case "path":
                let value = try variable(schema, example, name, place)
                sent = value.map(Self.texts) ?? ["1"]
                if let value { path.append((name, "\(value)")) }
            default: continue
            }
            // The app asks for all pages of its list.
            if name == paging?.parameter { sent = ["1", "1000"] }
            let isCursor = name == paging?.parameter && paging?.by == "cursor"
            guard refuses, !isCursor, let own = try file.checkedText(parameter, place),
                sent.allSatisfy({ ValueSchema(own).accepts(.string($0)) }),
                kind != "path" || own != ["type": "integer"]
            else { continue }
            let written = ProfileValue(try JSONParser.parse(Array(own.line.utf8)))
            checked[kind == "header" ? "headers" : kind, default: []].append((name, written))
        }
        let isEmpty = query.isEmpty && path.isEmpty && headers.isEmpty && checked.isEmpty
        guard !isEmpty || body != nil else { return nil }
        let texts = ["query", "path", "headers"].map { ($0, checked[$0].map { ProfileValue($0) }) }
        return ProfileValue([
            ("query", query.isEmpty ? nil : "\(query.joined(separator: "&"))"),
            ("path", path.isEmpty ? nil : ProfileValue(path)),
            ("headers", headers.isEmpty ? nil : ProfileValue(headers)),
            ("checked", checked.isEmpty ? nil : ProfileValue(texts)),
            ("body", body?.value),
            ("needsBody", body?.isNeeded.map { ProfileValue(json: "\($0)") }),
            ("required", body?.required), ("schema", body?.schema),
            ("type", body?.type == "json" ? nil : body.map { "\($0.type)" }),
            ("otherTypes", body?.others),
        ])
    }

    /// The texts that a path has for the value of a variable.
    private static func texts(_ variable: String) -> [String] {
        switch variable {
        case "{{number}}": ["1", "1000000"]
        case "{{uuid}}": [OpenAPIScalar.uuid]
        default: [variable]
        }
    }

    /// The value of a variable of a path; `nil` where any number will do.
    private func variable(
        _ node: JSONNode, _ example: JSONNode?, _ name: String, _ pointer: String
    ) throws -> String? {
        let schema = try file.schema(node, pointer)
        let isTold = example != nil || schema["enum"] != nil || schema["const"] != nil
        if !isTold, schema.type == "integer" { return "{{number}}" }
        let format = schema.text("format") ?? ""
        if !isTold, format.lowercased().hasPrefix("uuid") { return "{{uuid}}" }
        guard isTold || !format.isEmpty || schema["pattern"] != nil || schema["example"] != nil
        else { return nil }
        return try text(name, of: node, example, pointer)
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

    /// A body as a request has it.
    struct RequestBody {
        let value: ProfileValue
        /// The word for its media type.
        let type: String
        /// What the document says of a request without one, where its members do not say it.
        let isNeeded: Bool?
        /// The members that it must have, where it has others, too, and no schema.
        var required: ProfileValue?
        /// What is checked of it.
        var schema: ProfileValue?
        let others: ProfileValue?
    }

    /// The body of a call's request; `nil` without one, or for one that no profile writes.
    func requestBody(of call: OpenAPICall) throws -> RequestBody? {
        let pointer = call.pointer + "/requestBody"
        guard let node = call.requestBody else { return nil }
        let body = try file.resolved(node, pointer)
        guard let media = media(of: body, pointer), let type = Self.way(of: media.type),
            let schema = file.schema(ofMedia: media.node)
        else { return nil }
        let place = media.pointer + "/schema"
        let value: ProfileValue?
        if let example = file.example(of: media.node), try file.fits(example, schema, place),
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
        var written: JSONNode?
        if type != "multipart", let checked = try file.checked(schema, place),
            checked.line.utf8.count < 8_000, samples.isAccepted(value, by: ValueSchema(checked))
        {
            written = try JSONParser.parse(Array(checked.line.utf8))
        }
        let needsMembers = written.map { $0["required"] != nil } ?? !own.isEmpty
        let isNeeded = body["required"].map { $0.value == .bool(true) }
        return RequestBody(
            value: value, type: type, isNeeded: isNeeded == needsMembers ? nil : isNeeded,
            required: written != nil || own.count == names.count
                ? nil : ProfileValue(own.map { "\($0)" }),
            schema: written.map { ProfileValue($0) },
            others: try others(than: type, of: body, pointer))
    }
}

extension String {
    /// The text as a part of a query.
    fileprivate var inQuery: String { percentEncoded(allowing: \.isUnreservedInURL) }
}
