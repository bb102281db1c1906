extension TokenCall {
    /// Gives a request the call's own fields and others, as a form or as a JSON object.
    public func write(_ others: [TokenField], isForm: Bool, in request: inout URLRequest) {
        let all = fields + others
        if !all.isEmpty { request.write(all, isForm: isForm) }
    }

    /// A JSON object; `user.email` is a member of one inside of it.
    fileprivate static func object(_ fields: [(name: Substring, json: String)]) -> String {
        var members: [String] = []
        var known: Set<Substring> = []
        for (name, json) in fields {
            let outer = name.prefix { $0 != "." }
            guard outer.count < name.count else {
                members.append("\"\(String(name).jsonEscaped)\":\(json)")
                continue
            }
            guard known.insert(outer).inserted else { continue }
            let inner = fields.filter { $0.name.hasPrefix(outer + ".") }.map {
                (name: $0.name.dropFirst(outer.count + 1), json: $0.json)
            }
            members.append("\"\(String(outer).jsonEscaped)\":\(object(inner))")
        }
        return "{\(members.joined(separator: ","))}"
    }

    /// Gives a request the account that a sign-in is for.
    public func show(email: String, password: String, in request: inout URLRequest) {
        write(
            [TokenField(userField, email), TokenField(passwordField, password)], isForm: isForm,
            in: &request)
    }
}

extension URLRequest {
    mutating func write(_ fields: [TokenField], isForm: Bool) {
        headers.update(
            name: "Content-Type",
            value: isForm ? "application/x-www-form-urlencoded" : "application/json")
        body = fields.body(isForm: isForm)
    }
}

extension [TokenField] {
    func body(isForm: Bool) -> Body {
        isForm
            ? Body(map { "\($0.name.formEncoded)=\($0.value.formEncoded)" }.joined(separator: "&"))
            : Body(TokenCall.object(map { ($0.name[...], $0.json) }))
    }
}

extension TokenField {
    /// The value as a JSON object has it.
    fileprivate var json: String { isLiteral ? value : "\"\(value.jsonEscaped)\"" }
}

extension String {
    fileprivate var formEncoded: String { percentEncoded(allowing: \.isUnreservedInURL) }

    /// The text between the quotes of a JSON string.
    fileprivate var jsonEscaped: String {
        guard utf8.contains(where: { $0 < 32 || $0 == 34 || $0 == 92 }) else { return self }
        return unicodeScalars.map { scalar in
            guard scalar.value < 32 || scalar == "\"" || scalar == "\\" else {
                return String(scalar)
            }
            let digits = String(scalar.value, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }
}
