import SquallFormat
import SquallHTTP

// How tokens travel, as profiles write it.

extension TokenForm {
    /// A form with some of its parts changed.
    init(_ base: TokenForm, _ read: inout SettingsReader) {
        self = base
        read.replace(
            &access, "token", TokenPlace.format, "Where a request shows its access token.")
        if case .path = access {
            read.refuse(
                "token",
                "must be a header, query, cookie or body: calls have no place for it in their"
                    + " paths")
        }
        read.replace(
            &logIn, "logIn", .section { TokenCall("logIn", base.logIn, &$0) },
            "The call that signs in.")
        read.replace(
            &refresh, "refresh", .section { TokenCall("refresh", base.refresh, &$0) },
            "The call that trades a refresh token for a new access token.")
        read.replace(
            &logOut, "logOut", .section { TokenCall("logOut", base.logOut, &$0) },
            "The call that says that a session is over.")
        readDelivery(&read)
        readRefusals(&read)
    }

    private mutating func readDelivery(_ read: inout SettingsReader) {
        let own = self
        read.replace(&delivery, "delivery", TokenDelivery.format, "How new tokens are told.")
        tellsType = read(
            "tokenType", .flag, otherwise: .bool(tellsType),
            "Whether token_type stands beside the lifetime of a token.")
        read.replace(
            &signInDelivery, "signInDelivery", TokenDelivery.format,
            "How a sign-in tells its tokens, where a refresh does it in another way.")
        read.replace(
            &csrf, "csrf", .section { CSRFGuard(own.csrf, &$0) },
            "What requests that write repeat of a cookie, where tokens are in cookies.")
        read.replace(
            &claims, "jwt", .section { TokenClaims(own.claims ?? TokenClaims(), &$0) },
            "What tokens claim that are JWTs; they are opaque otherwise.")
    }

    private mutating func readRefusals(_ read: inout SettingsReader) {
        func refusal(_ key: String, _ own: TokenRefusal, _ summary: String) -> TokenRefusal {
            read.optional(key, .section { TokenRefusal(own, &$0) }, summary) ?? own
        }
        expired = refusal("expired", expired, "What an expired access token is answered.")
        unauthorized = refusal(
            "unauthorized", unauthorized, "What no access token, or none of its own, is answered.")
        signedOut = refusal(
            "signedOut", signedOut, "What a refresh token is answered that buys nothing any more.")
        early = refusal(
            "early", early, "The response to a refresh while the access token is still valid.")
        for occasion in RefusalOccasion.allCases {
            let own = self.refusal(occasion)
            read.replace(
                &others[occasion], occasion.rawValue, .section { TokenRefusal(own, &$0) },
                occasion.summary)
        }
    }
}

extension RefusalOccasion {
    fileprivate var summary: String {
        switch self {
        case .missing: "What no access token at all is answered; as unauthorized by default."
        case .ended:
            "The response to an access token that was ended before its time; as expired by default."
        case .missingAccount:
            "What a sign-in without name or password is answered; as wrongPassword by default."
        case .wrongPassword: "What a wrong name or password is answered; as signedOut by default."
        case .refreshExpired:
            "The response to a refresh token that has expired; as signedOut by default."
        case .unknownRefresh:
            "What a refresh token of another service is answered; as signedOut by default."
        case .missingRefresh: "What a refresh without a token is answered; as signedOut by default."
        case .refreshAsAccess:
            "What a refresh token is answered in place of an access token; as unauthorized by"
                + " default."
        case .accessAsRefresh:
            "What an access token is answered in place of a refresh token; as unknownRefresh by"
                + " default."
        }
    }
}

extension CSRFGuard {
    fileprivate init(_ own: CSRFGuard?, _ read: inout SettingsReader) {
        func name(_ key: String, _ value: String?, _ usual: String, _ summary: String) -> String {
            read(key, .text(1...100), otherwise: .string(value ?? usual), summary)
        }
        let refusal = own?.refused ?? TokenRefusal(403, #"{"error":"csrf"}"#)
        self.init(
            header: name("header", own?.header, "X-CSRF-TOKEN", "The header field."),
            access: name(
                "access", own?.access, "csrf_access_token", "The cookie beside the access token."),
            refresh: name(
                "refresh", own?.refresh, "csrf_refresh_token",
                "The cookie beside the refresh token."),
            refused: read.optional(
                "refused", .section { TokenRefusal(refusal, &$0) },
                "What a request without the field is answered.") ?? refusal)
    }
}

extension TokenClaims {
    fileprivate init(_ own: TokenClaims, _ read: inout SettingsReader) {
        self.init(
            subject: read(
                "subject", .text(1...50), otherwise: .string(own.subject),
                "The claim that names the user."),
            hasIssue: read(
                "issuedAt", .flag, otherwise: .bool(own.hasIssue),
                "Whether they say when they were issued (iat)."),
            ofRefresh: read(
                "refreshTokens", .flag, otherwise: .bool(own.ofRefresh),
                "Whether refresh tokens are JWTs, too."))
    }
}

extension TokenService {
    /// Reads the settings that are the service's and no part of its form.
    mutating func take(_ read: inout SettingsReader) {
        tokenHeaders = HeaderLine.fields(
            read(
                "tokenHeaders", .list(of: HeaderLine.format, 0...20),
                otherwise: HeaderLine.texts(tokenHeaders),
                "Header fields of a response that brings tokens, such as Cache-Control: no-store."))
        repeatsRefreshToken = read(
            "repeatsRefreshToken", .flag, otherwise: .bool(repeatsRefreshToken),
            "Whether a refresh that keeps the refresh token sends it again.")
        logOut = read(
            "logOutEffect", .choice(LogOutEffect.self), otherwise: .string(logOut.rawValue),
            "What a sign-out does to the session's tokens on the server.")
    }
}

/// Header fields as profiles write them: `Name: value`.
private enum HeaderLine {
    static var format: SettingFormat<String> {
        SettingFormat.text(3...1_000).refusing { text, path in
            parts(text) == nil
                ? "\(path) must be a field such as Cache-Control: no-store, got \"\(text)\"" : nil
        }
    }

    private static func parts(_ text: String) -> (name: String, value: String)? {
        guard let colon = text.firstIndex(of: ":"), colon > text.startIndex else { return nil }
        let name = text[..<colon]
        guard !name.contains(where: { $0.isWhitespace || !$0.isASCII }) else { return nil }
        return (String(name), String(text[text.index(after: colon)...].drop { $0 == " " }))
    }

    static func fields(_ lines: [String]) -> [String: String] {
        Dictionary(lines.compactMap(parts).map { ($0.name, $0.value) }) { $1 }
    }

    static func texts(_ fields: [String: String]) -> JSON {
        .array(fields.sorted { $0.key < $1.key }.map { .string("\($0.key): \($0.value)") })
    }
}

extension TokenRefusal {
    fileprivate init(_ own: TokenRefusal, _ read: inout SettingsReader) {
        self.init(
            read(
                "status", .integer(200...599), otherwise: .integer(Int64(own.status)),
                "The status."),
            read(
                "body", .text(0...4_000, ofLines: true), otherwise: .string(own.body),
                "The body, as a text; mostly JSON."),
            headers: HeaderLine.fields(
                read(
                    "headers", .list(of: HeaderLine.format, 0...20),
                    otherwise: HeaderLine.texts(own.headers),
                    "Header fields, such as WWW-Authenticate: Bearer.")))
        statusAlone = read(
            "statusAlone", .flag, otherwise: .bool(own.statusAlone),
            "With a real server: whether the status alone tells it, since bodies vary.")
        if status < 300, statusAlone || body.utf8.count <= 2 {
            read.refuse(
                "status",
                "is one of a success: let a body tell it, such as {\"errors\":[{}]} of GraphQL")
        }
    }
}

extension TokenCall {
    /// A request without a body cannot show a token in it.
    private func checkBody(_ read: inout SettingsReader) {
        guard method == .get || method == .head, read.isSound("method", "token") else { return }
        if name == "logIn" {
            read.refuse("method", "must have a body for name and password, got \(method)")
        } else if let member = token.nameInBody {
            let place = read.path.appending("method")
            read.report(
                at: place,
                "\(place): a \(method) has no body in which \"\(member)\" could stand; let"
                    + " \(read.path).token be a header, query or cookie")
        }
    }

    fileprivate init(_ name: String, _ own: TokenCall, _ read: inout SettingsReader) {
        self.init(
            name,
            read("method", .method, otherwise: .string(own.method.rawValue), "The verb."),
            read("path", .target, otherwise: .string(own.target), "The path, also with a query."),
            token: read.optional("token", TokenPlace.format, "Where the refresh token stands.")
                ?? own.token,
            showsAccess: read(
                "showsAccess", .flag, otherwise: .bool(own.showsAccess),
                "Whether it must show the access token too."))
        status = read(
            "status", .integer(200...299), otherwise: .integer(Int64(own.status)),
            "The status of a success; 204 comes without a body.")
        answer = own.answer
        if name == "logOut" {
            answer = read(
                "response", .text(0...4_000, ofLines: true), otherwise: .string(own.answer),
                "The body of a success.")
        }
        isForm =
            read(
                "body", .words(["json", "form"]), otherwise: .string(own.isForm ? "form" : "json"),
                "How its body is written: as a JSON object, or as a form.") == "form"
        fields = read(
            "fields", .list(of: .tokenField, 0...20),
            otherwise: .array(own.fields.map { .string($0.text) }),
            "What else the body has: name=value (grant_type=password), or name:=value for a number,"
                + " true, false or null (remember:=true)."
        ).compactMap(TokenField.init)
        if name == "logIn" {
            userField = read(
                "userField", .text(1...100), otherwise: .string(own.userField),
                "What the body calls the account's name.")
            passwordField = read(
                "passwordField", .text(1...100), otherwise: .string(own.passwordField),
                "What the body calls the password.")
        }
        checkBody(&read)
        checkPath(&read)
    }

    /// A token at the end of a path needs a place there.
    private func checkPath(_ read: inout SettingsReader) {
        guard case .path(let member) = token, read.isSound("path", "token"),
            !path.hasSuffix("/{\(member)}")
        else { return }
        read.refuse(
            "path", "must end with \"/{\(member)}\", where the token stands, got \"\(path)\"")
    }
}

extension SettingFormat<String> {
    fileprivate static var tokenField: SettingFormat {
        SettingFormat.text(2...500).refusing { text, path in
            TokenField(text) == nil
                ? "\(path) must be a name and a value with = between them, or := before a whole"
                    + " number, true, false or null; got \"\(text)\"" : nil
        }
    }
}

extension TokenPlace {
    /// Its name in a body; `nil` where it stands elsewhere.
    fileprivate var nameInBody: String? {
        switch self {
        case .body(let name), .form(let name): name
        case .header, .query, .cookie, .path: nil
        }
    }

    /// A place as profiles write it.
    static var format: SettingFormat<TokenPlace> {
        func named(_ key: String, _ summary: String, _ make: @escaping @Sendable (String) -> Self)
            -> Setting<Self>
        { Setting(key, SettingFormat.text(1...100).map(make), summary) }
        return .oneOf([
            Setting("header", .section { header(&$0) }, "In a header field."),
            named("query", "In the address, as the value of this name.") { .query($0) },
            named("cookie", "In the cookie of this name.") { .cookie($0) },
            named("body", "In the body, as this member of a JSON object.") { .body($0) },
            named("form", "In the body, as this field of a form.") { .form($0) },
            named("path", "At the end of the call's path, where this name stands in braces.") {
                .path($0)
            },
        ])
    }

    private static func header(_ read: inout SettingsReader) -> TokenPlace {
        let (name, scheme) = read.field()
        return .header(name, scheme: scheme)
    }
}

extension TokenDelivery {
    /// A way to deliver tokens, as profiles write it.
    static var format: SettingFormat<TokenDelivery> {
        .oneOf([
            Setting("json", .section { json(&$0) }, "As members of a JSON object."),
            Setting("cookies", .section { cookies(&$0) }, "As cookies."),
            Setting("each", .section { each(&$0) }, "Each token in a place of its own."),
        ])
    }

    private static func json(_ read: inout SettingsReader) -> TokenDelivery {
        let access = read(
            "access", .text(1...100), otherwise: "access_token",
            "The access token's name; dots lead into objects: data.token.")
        let refresh = read(
            "refresh", .text(0...100), otherwise: "refresh_token",
            "The refresh token's name; empty where none comes.")
        var delivery = TokenDelivery(
            access: .member(access), refresh: refresh.isEmpty ? nil : .member(refresh))
        delivery.readRest(&read)
        return delivery
    }

    private static func cookies(_ read: inout SettingsReader) -> TokenDelivery {
        let access = read(
            "access", .text(1...100), otherwise: "session", "The access token's name.")
        let refresh = read(
            "refresh", .text(0...100), otherwise: "renewal",
            "The refresh token's name; empty where none comes.")
        return TokenDelivery(
            access: .cookie(access), refresh: refresh.isEmpty ? nil : .cookie(refresh),
            members: members(&read))
    }

    private static func each(_ read: inout SettingsReader) -> TokenDelivery {
        var delivery = TokenDelivery(
            access: read.optional("access", Place.format, "Where the access token stands.")
                ?? .member("access_token"),
            refresh: read.optional(
                "refresh", Place.format, "Where the refresh token stands; by default none comes."))
        delivery.readRest(&read)
        return delivery
    }

    private mutating func readRest(_ read: inout SettingsReader) {
        lifetime = read.optional("lifetime", .text(1...100), "The name of the token's life.")
        tellsMilliseconds =
            read(
                "lifetimeUnit", .words(["seconds", "milliseconds"]), otherwise: "seconds",
                "The unit of that life.") == "milliseconds"
        members = Self.members(&read)
    }

    private static func members(_ read: inout SettingsReader) -> String {
        read(
            "members", .object, otherwise: [:],
            "Further members; {user}, {email}, {lifetime}, {issuedAt}, {expiresAt} (in seconds),"
                + " {expiryDate} and {{variables}} are filled in.")
    }
}

extension TokenDelivery.Place {
    /// A place as profiles write it.
    fileprivate static var format: SettingFormat<TokenDelivery.Place> {
        .oneOf([
            Setting(
                "member", SettingFormat.text(1...100).map { .member($0) },
                "In the body, as this member of a JSON object."),
            Setting("cookie", SettingFormat.text(1...100).map { .cookie($0) }, "In this cookie."),
            Setting(
                "header", .section { header(&$0) }, "In a header field."),
            Setting(
                "body", SettingFormat.words(["json", "text"]).map { .body(isJSON: $0 == "json") },
                "As the whole body: a string in JSON, or plain text."),
        ])
    }

    private static func header(_ read: inout SettingsReader) -> TokenDelivery.Place {
        let (name, scheme) = read.field()
        return .header(name, scheme: scheme)
    }
}

extension SettingsReader {
    /// A header field that a token stands in.
    fileprivate mutating func field() -> (name: String, scheme: String?) {
        (
            self("name", .text(1...100), otherwise: "Authorization", "The field."),
            optional("scheme", .text(1...50), "What stands before the token, such as Bearer.")
        )
    }
}
