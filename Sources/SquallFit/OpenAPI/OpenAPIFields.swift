import SquallFormat
import SquallHTTP

/// The fields of calls about tokens and of their responses, by the names of members.
struct OpenAPIFields {
    let responses: OpenAPIResponses

    /// A parameter, or a member of a body.
    struct Field {
        let name: String
        /// The place: `body`, `query`, `header` or `cookie`.
        let place: String
        let isRequired: Bool
        let schema: OpenAPISchema
        fileprivate(set) var choices: [String]

        /// Its name in lower case, of letters only; without that of an object around it.
        var word: String {
            TokenNames.word(name.split(separator: ".").last.map(String.init) ?? "")
        }
    }

    /// The fields of a call's request: its parameters, and the members of its body.
    func sent(_ call: OpenAPICall) throws -> [Field] {
        let file = responses.file
        var fields: [Field] = []
        for parameter in try file.parameters(of: call) {
            guard let name = parameter.text("name"), let place = parameter.text("in"),
                place != "path"
            else { continue }
            let schema = try file.schema(parameter["schema"] ?? parameter, call.pointer)
            fields.append(
                Field(
                    name: name, place: place,
                    isRequired: parameter["required"]?.value == .bool(true), schema: schema,
                    choices: try choices(schema)))
        }
        return try fields + body(call).fields
    }

    /// The members of a call's body, and its media type.
    func body(_ call: OpenAPICall) throws -> (fields: [Field], type: String) {
        let pointer = call.pointer + "/requestBody"
        guard let node = call.requestBody,
            let media = responses.media(of: try responses.file.resolved(node, pointer), pointer),
            let schema = responses.file.schema(ofMedia: media.node)
        else { return ([], "") }
        return (try members(of: schema, media.pointer + "/schema"), media.type)
    }

    /// The members of a body; those of an object in it are named `user.email`.
    private func members(
        of node: JSONNode, _ pointer: String, in place: String = "", isNeeded: Bool = true
    ) throws -> [Field] {
        let file = responses.file
        let whole = try file.schema(node, pointer)
        let others = try file.alternatives(of: whole)
        // What one of several alternatives requires, another request does not have.
        let required = others.filter { !$0.properties.isEmpty }.map { Set($0.required) }
        let needed = Set(whole.required).union(
            required.dropFirst().reduce(required.first ?? []) { $0.intersection($1) })
        var fields: [Field] = []
        for schema in [whole] + others {
            for member in schema.properties {
                let own = try file.schema(member.value, pointer)
                guard own["readOnly"]?.value != .bool(true) else { continue }
                let name = place + member.name
                // One name may have another value in each alternative, as grant_type has.
                if let known = fields.firstIndex(where: { $0.name == name }) {
                    fields[known].choices += try choices(own)
                    continue
                }
                let isRequired = isNeeded && needed.contains(member.name)
                if own.type == "object", !own.properties.isEmpty, place.isEmpty {
                    let inner = try members(
                        of: member.value, pointer, in: member.name + ".", isNeeded: isRequired)
                    fields += inner.filter { one in !fields.contains { $0.name == one.name } }
                    continue
                }
                fields.append(
                    Field(
                        name: name, place: "body", isRequired: isRequired, schema: own,
                        choices: try choices(own)))
            }
        }
        return fields
    }

    /// The values that a text may have: by `enum`, `const`, or a pattern that is a few words.
    private func choices(_ schema: OpenAPISchema) throws -> [String] {
        let all = try [schema] + responses.file.alternatives(of: schema)
        return all.flatMap { schema -> [String] in
            if let words = schema["enum"]?.elements { return words.compactMap(\.text) }
            if let word = schema.text("const") { return [word] }
            guard let pattern = schema.text("pattern") else { return [] }
            let words = pattern.filter { !"^$()?:".contains($0) }.split(separator: "|")
            let isOfWords = words.allSatisfy { word in
                word.allSatisfy { $0.isLetter || $0 == "_" }
            }
            return isOfWords ? words.map(String.init) : []
        }
    }

    /// The names that lead to tokens in a response, from outside in, and the members beside them.
    struct Told {
        var access: [String]?
        var refresh: [String]?
        var lifetime: [String]?
        var tellsMilliseconds = false
        /// The lives that the document states of the tokens, in nanoseconds.
        var lives: (access: Int64?, refresh: Int64?)
        var others: [ProfileValue.Member] = []
        var status = 200
    }

    func told(by call: OpenAPICall) throws -> Told? {
        guard let answer = try responses.success(of: call) else { return nil }
        var told = Told()
        told.status = answer.status == 0 ? 200 : answer.status
        let inWords = OpenAPILifetime.lives(in: answer.node.text("description") ?? "")
        guard answer.isJSON, let media = answer.media,
            let node = responses.file.schema(ofMedia: media.node)
        else {
            told.lives = inWords
            return told
        }
        let schema = try responses.file.schema(node, media.pointer + "/schema")
        let wholes = [responses.file.example(of: media.node), schema["example"]]
        try look(in: schema, at: [], wholes.compactMap(\.self), &told)
        told.lives.access = told.lives.access ?? inWords.access
        told.lives.refresh = told.lives.refresh ?? inWords.refresh
        told.others = try others(in: schema, at: [], told)
        return told
    }

    private func look(
        in schema: OpenAPISchema, at path: [String], _ wholes: [JSONNode], _ told: inout Told
    ) throws {
        guard path.count < 4 else { return }
        let members = try schema.properties.map { member in
            (name: member.name, schema: try responses.file.single(member.value, schema.pointer))
        }
        func find(
            _ words: [String], _ types: [String]
        ) -> (name: String, schema: OpenAPISchema)? {
            words.lazy.compactMap { word in
                members.first {
                    TokenNames.word($0.name) == word && types.contains($0.schema.type ?? "string")
                }
            }.first
        }
        func life(
            _ member: (name: String, schema: OpenAPISchema)?, isToken: Bool = false
        ) -> OpenAPILifetime? {
            member.flatMap { name, schema in
                let inWholes = wholes.compactMap { $0[name] }
                return OpenAPILifetime(name, schema, inWholes, isToken: isToken)
            }
        }
        let tokens = (find(TokenNames.access, ["string"]), find(TokenNames.refresh, ["string"]))
        if told.access == nil { told.access = tokens.0.map { path + [$0.name] } }
        if told.refresh == nil { told.refresh = tokens.1.map { path + [$0.name] } }
        if told.lifetime == nil {
            let names = TokenNames.lifetimes + TokenNames.lifetimesInMilliseconds
            let number = find(names, ["integer", "number"])
            let stated = life(number ?? find(names, ["string"]))
            // A moment since 1970 is no life.
            if let number, stated?.isMoment != true {
                told.lifetime = path + [number.name]
                told.tellsMilliseconds =
                    stated?.isInMilliseconds
                    ?? TokenNames.lifetimesInMilliseconds.contains(TokenNames.word(number.name))
            }
            told.lives.access = told.lives.access ?? stated?.nanoseconds
        }
        let ofRefresh = life(find(TokenNames.refreshLifetimes, ["integer", "number", "string"]))
        told.lives.refresh = told.lives.refresh ?? ofRefresh?.nanoseconds
        told.lives.access = told.lives.access ?? life(tokens.0, isToken: true)?.nanoseconds
        told.lives.refresh = told.lives.refresh ?? life(tokens.1, isToken: true)?.nanoseconds
        for (name, own) in members where own.type == "object" {
            guard told.access == nil || told.refresh == nil else { return }
            // {"access": {"token": …}, "refresh": {"token": …}}
            if told.refresh == nil, TokenNames.refresh.contains(TokenNames.word(name)),
                let inner = own.properties.first(where: {
                    (TokenNames.access + TokenNames.refresh).contains(TokenNames.word($0.name))
                })
            {
                told.refresh = path + [name, inner.name]
                continue
            }
            try look(in: own, at: path + [name], wholes.compactMap { $0[name] }, &told)
        }
    }

    private func others(
        in schema: OpenAPISchema, at path: [String], _ told: Told
    ) throws -> [ProfileValue.Member] {
        let known = [told.access, told.refresh, told.lifetime].compactMap(\.self)
        return try schema.properties.compactMap { member in
            let place = path + [member.name]
            guard !known.contains(place) else { return nil }
            if known.contains(where: { $0.starts(with: place) }) {
                let own = try responses.file.single(member.value, schema.pointer)
                let inner = try others(in: own, at: place, told)
                return inner.isEmpty ? nil : (member.name, ProfileValue(inner))
            }
            guard member.value["writeOnly"]?.value != .bool(true) else { return nil }
            let own = try responses.file.schema(member.value, schema.pointer)
            let isTold = ["const", "enum", "example", "default"].contains { own[$0] != nil }
            if TokenNames.word(member.name) == "tokentype", !isTold {
                return (member.name, "Bearer")
            }
            if !isTold, let end = Self.end(member.name, own) { return (member.name, end) }
            let pointer = "\(schema.pointer)/properties\(member.name.pointerPart)"
            return try responses.samples.sample(
                member.value, pointer, name: member.name, for: .response
            ).map { (member.name, Self.end(member.name, $0.value) ?? $0.value) }
        }
    }

    /// What stands for the moment at which the access token ends, of which the document has no
    /// example: a text is a date, and a number one of seconds if its name or its words say so.
    private static func end(_ name: String, _ schema: OpenAPISchema) -> ProfileValue? {
        let word = TokenNames.word(name)
        guard TokenNames.ends.contains(word) else { return nil }
        if schema.type == "string" { return "{expiryDate}" }
        let about = schema.text("description") ?? ""
        let isMoment = word.hasSuffix("at") || about.contains(/epoch|unix|1970/.ignoresCase())
        let isInSeconds = isMoment && !about.contains(/milli/.ignoresCase())
        return isInSeconds && schema.type == "integer" ? "{expiresAt}" : nil
    }

    /// What stands for the moment at which the access token ends; `nil` for another member.
    private static func end(_ name: String, _ sample: ProfileValue) -> ProfileValue? {
        guard TokenNames.ends.contains(TokenNames.word(name)) else { return nil }
        // Seconds since 1970 have ten digits.
        if sample.json.count == 10, Int64(sample.json) != nil { return "{expiresAt}" }
        let text = sample.json.filter { $0 != "\"" }
        return HTTPDate.secondsSince1970(rfc3339: text) == nil ? nil : "{expiryDate}"
    }
}
