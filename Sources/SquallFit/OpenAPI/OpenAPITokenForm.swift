import SquallHTTP

/// The settings of a token form that calls of a document declare: names, bodies, statuses.
struct OpenAPITokenForm {
    let fields: OpenAPIFields
    let security: OpenAPISecurity
    let found: [OpenAPITokenCalls.Kind: OpenAPITokenCalls.Found]

    /// The settings.
    var settings: [ProfileValue.Member] {
        get throws {
            var settings: [ProfileValue.Member] = []
            for kind in OpenAPITokenCalls.Kind.allCases {
                guard let call = found[kind] else { continue }
                settings.append((kind.rawValue, try setting(kind, call)))
            }
            // What else would it be sent the refresh token for?
            if let call = found[.logOut]?.call,
                try Self.tokenField(among: fields.sent(call)) != nil
            {
                settings.append(("logOutEffect", "endsRefreshTokens"))
            }
            settings += try deliveries
            if try told(by: .refresh)?.refresh != nil {
                settings.append(("repeatsRefreshToken", true))
            }
            return try settings + refusals
        }
    }

    /// The lives that the responses state of the tokens, those of a sign-in first.
    var lives: (access: Int64?, refresh: Int64?) {
        get throws {
            let told = try [told(by: .logIn), told(by: .refresh)].compactMap(\.self).map(\.lives)
            return (
                told.lazy.compactMap(\.access).first, told.lazy.compactMap(\.refresh).first
            )
        }
    }

    /// The parts that could not be read, and what stands for them.
    var remarks: [String] {
        get throws {
            if try isCookieAssumed {
                return [
                    "The document has no place for a refresh token; a cookie, refresh_token, stands"
                        + " for it. \"delivery\" and \"refresh\" in backend.service say otherwise."
                ]
            }
            guard let call = found[.logIn]?.call, case let told? = try fields.told(by: call),
                told.access == nil, !security.areCookies
            else { return [] }
            return [
                "The answer to \(call.method) \(call.fullPath) has no member that is known as a"
                    + " token; \"delivery\" in backend.service names it."
            ]
        }
    }

    private func setting(
        _ kind: OpenAPITokenCalls.Kind, _ found: OpenAPITokenCalls.Found
    ) throws -> ProfileValue {
        var parts: [ProfileValue.Member] = [
            ("method", "\(found.method)"), ("path", "\(found.path)"),
        ]
        let body = try found.call.map(fields.body)
        if found.isFlow, kind != .logOut, body?.fields.isEmpty ?? true {
            // What a token endpoint is sent, says RFC 6749 (§4.3, §6).
            let grant = kind == .logIn ? "password" : "refresh_token"
            parts += [("body", "form"), ("userField", kind == .logIn ? "username" : nil)]
            return ProfileValue(parts + [("fields", ["grant_type=\(grant)"])])
        }
        guard let call = found.call, let body else {
            if kind == .refresh, try isCookieAssumed {
                parts.append(("token", Self.cookie))
            } else if found.method == "GET" {
                parts.append(("token", DeclaredAPI.tokenHeader))
            }
            return ProfileValue(parts)
        }
        if body.type.contains("form") { parts.append(("body", "form")) }
        switch kind {
        case .logIn: parts += try account(call)
        case .refresh, .logOut: parts += try token(kind, call)
        }
        if let told = try fields.told(by: call) {
            if (201...299).contains(told.status) { parts.append(("status", .init(told.status))) }
        }
        if kind == .logOut, let answer = try fields.responses.success(of: call),
            let body = try fields.responses.farewell(answer), body.json.utf8.count <= 4_000
        {
            parts.append(("response", "\(body.json)"))
        }
        return ProfileValue(parts)
    }

    /// The fields of a sign-in: the account's names, and the other required ones.
    private func account(_ call: OpenAPICall) throws -> [ProfileValue.Member] {
        let sent = try fields.sent(call).filter { $0.place == "body" || $0.place == "query" }
        func field(_ words: [String]) -> OpenAPIFields.Field? {
            words.lazy.compactMap { word in sent.first { $0.word == word } }.first
        }
        let (user, password) = (field(TokenNames.users), field(TokenNames.passwords))
        let others = sent.filter { other in
            guard other.name != user?.name, other.name != password?.name else { return false }
            return other.isRequired || other.word == "granttype"
        }
        let fixed = try others.map { "\(try value(of: $0, for: "password"))" as ProfileValue }
        return [
            ("userField", user.flatMap { $0.name == "email" ? nil : "\($0.name)" }),
            ("passwordField", password.flatMap { $0.name == "password" ? nil : "\($0.name)" }),
            ("fields", fixed.isEmpty ? nil : ProfileValue(fixed)),
        ]
    }

    /// A field with its value, as `grant_type=password`.
    private func value(of field: OpenAPIFields.Field, for grant: String) throws -> String {
        if field.word == "granttype" { return "\(field.name)=\(grant)" }
        let text = try fields.responses.text(
            field.name, of: field.schema.parts[0], nil, field.schema.pointer)
        // In JSON these stand without quotes.
        let isLiteral = ["boolean", "integer"].contains(field.schema.type)
        return "\(field.name)\(isLiteral ? ":" : "")=\(text)"
    }

    /// The place of the token in a refresh or a sign-out.
    private func token(
        _ kind: OpenAPITokenCalls.Kind, _ call: OpenAPICall
    ) throws -> [ProfileValue.Member] {
        let sent = try fields.sent(call)
        let isCookieAssumed = try kind == .refresh && isCookieAssumed
        let field = isCookieAssumed ? nil : Self.tokenField(among: sent)
        var parts: [ProfileValue.Member] = []
        switch field?.place {
        case "body": parts.append(("token", ["body": field.map { "\($0.name)" }]))
        case "query": parts.append(("token", ["query": field.map { "\($0.name)" }]))
        case "cookie": parts.append(("token", ["cookie": field.map { "\($0.name)" }]))
        case "header":
            parts.append(("token", ["header": ["name": field.map { "\($0.name)" }]]))
        case nil where isCookieAssumed: parts.append(("token", Self.cookie))
        default:
            // Without a body the refresh token stands where calls show their access token.
            let isBearer = security.isBearer && security.isNeeded(for: call)
            let isBodiless = kind == .logOut && call.method == "GET" && !security.areCookies
            if isBearer || isBodiless {
                parts.append(
                    ("token", ["header": ["name": "Authorization", "scheme": "Bearer"]]))
                // A sign-out shows the access token there, which takes the refresh token's place.
                if kind == .logOut { parts.append(("showsAccess", true)) }
            }
        }
        let others = sent.filter { other in
            other.place == "body" && other.name != field?.name
                && (other.word == "granttype" || other.isRequired)
                && !TokenNames.passwords.contains(other.word)
                && !TokenNames.users.contains(other.word)
        }
        let fixed = try others.map { "\(try value(of: $0, for: "refresh_token"))" as ProfileValue }
        if kind == .refresh, !fixed.isEmpty { parts.append(("fields", ProfileValue(fixed))) }
        if field != nil, security.isNeeded(for: call), kind == .logOut {
            parts.append(("showsAccess", true))
        }
        return parts
    }

    /// The field of a request that has the refresh token, or the token to end.
    private static func tokenField(among sent: [OpenAPIFields.Field]) -> OpenAPIFields.Field? {
        (TokenNames.refresh + ["token", "refreshtokenid"]).lazy.compactMap { word in
            sent.first { $0.word == word || $0.place == "header" && $0.word.hasSuffix(word) }
        }.first
    }

    /// What stands for a refresh token of which the document says nothing: clients keep cookies by
    /// themselves, and the bodies stay as the document has them.
    private static let cookie: ProfileValue = ["cookie": "refresh_token"]

    /// True where neither the responses nor the request of a refresh have a place for its token.
    private var isCookieAssumed: Bool {
        get throws {
            guard let refresh = found[.refresh], !security.areCookies,
                let signIn = try told(by: .logIn), signIn.access != nil, signIn.refresh == nil,
                try told(by: .refresh)?.refresh == nil
            else { return false }
            let sent = try refresh.call.map { try fields.sent($0) } ?? []
            // A call that shows the access token alone has no other token to show.
            return Self.tokenField(
                among: sent.filter { $0.name.lowercased() != security.tokenName }) == nil
        }
    }

    /// The places of tokens in the responses to a sign-in and a refresh; one setting where they are
    /// alike.
    private var deliveries: [ProfileValue.Member] {
        get throws {
            guard !security.areCookies, var first = try told(by: .logIn), first.access != nil else {
                return []
            }
            var later = try told(by: .refresh) ?? first
            first.refresh = first.refresh ?? later.refresh
            later.access = later.access ?? first.access
            later.refresh = later.refresh ?? first.refresh
            if later.refresh == nil, let call = found[.refresh]?.call {
                later.refresh = Self.tokenField(among: try fields.sent(call))
                    .map { [$0.place == "body" ? $0.name : "refresh_token"] }
                first.refresh = later.refresh
            }
            let isCookie = try isCookieAssumed
            let (signIn, refresh) = (delivery(first, isCookie), delivery(later, isCookie))
            let own: ProfileValue.Member? =
                signIn.json == refresh.json ? nil : ("signInDelivery", signIn)
            return [("delivery", refresh)] + [own].compactMap(\.self) + [("tokenType", false)]
        }
    }

    private func told(by kind: OpenAPITokenCalls.Kind) throws -> OpenAPIFields.Told? {
        try found[kind]?.call.flatMap { try fields.told(by: $0) }
    }

    private func delivery(_ told: OpenAPIFields.Told, _ isCookie: Bool) -> ProfileValue {
        func name(_ path: [String]?) -> ProfileValue { "\(path?.joined(separator: ".") ?? "")" }
        let access = name(told.access)
        return [
            isCookie ? "each" : "json": [
                "access": isCookie ? ["member": access] : access,
                "refresh": isCookie ? Self.cookie : name(told.refresh),
                "lifetime": told.lifetime.map(name),
                "lifetimeUnit": told.tellsMilliseconds ? "milliseconds" : nil,
                "members": told.others.isEmpty ? nil : ProfileValue(told.others),
            ]
        ]
    }

    /// The responses to an expired token and to one that is none, as the document describes them;
    /// where it does not, any 401 is the first.
    private var refusals: [ProfileValue.Member] {
        get throws {
            guard let refused = security.areCookies ? nil : try refusal else {
                return [("expired", ["statusAlone": true])] + (try refusalsOfCalls)
            }
            // No client could tell a lost session from an expired token where both are alike.
            let others = try refusalsOfCalls.filter { $0.value?.json != refused.expired.json }
            return [("expired", refused.expired), ("unauthorized", refused.unauthorized)] + others
        }
    }

    private var refusal: (expired: ProfileValue, unauthorized: ProfileValue)? {
        get throws {
            guard let answer = try usualRefusal,
                let expired = try refusal(answer, "The access token has expired."),
                let other = try refusal(answer, "The access token is not valid.")
            else { return nil }
            return (expired, other)
        }
    }

    /// The response with status 401 that calls with a token have, those of their own first.
    private var usualRefusal: OpenAPIResponses.Answer? {
        get throws {
            let calls = fields.responses.calls.filter { security.isNeeded(for: $0) }
            let all = try calls.compactMap { try fields.responses.failure([401], of: $0) }
            return try (all.filter(\.isOwn) + all.filter { !$0.isOwn }).first {
                try refusal($0, "The access token has expired.") != nil
            }
        }
    }

    /// The responses to a refresh token that is not accepted, and to a wrong password: the same
    /// where one call does both.
    ///
    /// Where the document has none for the call, it is that of others.
    private var refusalsOfCalls: [ProfileValue.Member] {
        get throws {
            let (logIn, refresh) = (found[.logIn], found[.refresh])
            let isOne = logIn?.shape == refresh?.shape
            let usual = isOne || security.areCookies ? nil : try usualRefusal
            let refused: [ProfileValue.Member?] = try [
                ("signedOut", refresh?.call, "The refresh token is not valid."),
                ("wrongPassword", isOne ? nil : logIn?.call, "The name or the password is wrong."),
            ].map { key, call, words in
                guard let call, let answer = try ownRefusal(of: call) ?? usual else { return nil }
                let error = try isGrant(call) ? "invalid_grant" : nil
                if answer.media == nil, error == nil {
                    let isAlone: ProfileValue? = isOne ? nil : true
                    return (key, ["status": ProfileValue(answer.status), "statusAlone": isAlone])
                }
                return try refusal(answer, words, error: error, isAlone: !isOne).map { (key, $0) }
            }
            let missing: [ProfileValue.Member?] = try [
                ("missingRefresh", refresh?.call, "The refresh token is missing."),
                ("missingAccount", logIn?.call, "The name or the password is missing."),
            ].map { key, call, words in
                guard let call, !isOne else { return nil }
                // A 400 beside the refusal's 401 is that of a request that lacks something.
                let statuses = try ownRefusal(of: call)?.status == 401 ? [422, 400] : [422]
                guard let answer = try fields.responses.failure(statuses, of: call), answer.isOwn
                else { return nil }
                return try refusal(answer, words).map { (key, $0) }
            }
            return (refused + missing).compactMap(\.self)
        }
    }

    private func isGrant(_ call: OpenAPICall) throws -> Bool {
        try fields.sent(call).contains { $0.word == "granttype" }
    }

    /// The response of a call that is sent a wrong password or a token that is not accepted.
    private func ownRefusal(of call: OpenAPICall) throws -> OpenAPIResponses.Answer? {
        // OAuth's 401 is about the client (RFC 6749, §5.2).
        let statuses = try isGrant(call) ? [400, 401, 403] : [401, 400, 403]
        return try fields.responses.failure(statuses, of: call)
    }

    private func refusal(
        _ answer: OpenAPIResponses.Answer, _ words: String, error: String? = nil,
        isAlone: Bool = false
    ) throws -> ProfileValue? {
        guard let body = try fields.responses.error(answer, saying: words, error: error),
            body.json.count <= 1_000
        else { return nil }
        let type = answer.media?.type ?? "application/json"
        let isOther = !type.hasPrefix("application/json")
        return [
            "status": ProfileValue(answer.status), "body": "\(body.json)",
            "headers": isOther ? ["Content-Type: \(type)"] : nil,
            "statusAlone": isAlone ? true : nil,
        ]
    }
}
