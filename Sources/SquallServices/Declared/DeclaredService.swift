public import SquallBackend
public import SquallFormat
public import SquallHTTP
public import SquallKernel

/// Any API as a profile declares it: its endpoints, and how its tokens travel.
///
/// It is a ``TokenService`` whose answers are lists of objects of one size, so it signs in,
/// refreshes and refuses as one; the profile's `backend.tokens` says how long tokens live and what
/// a refresh does to them.
public struct DeclaredService: Sendable {
    /// Where it answers, with scheme, host and port.
    public var origin: String
    /// How tokens travel, and what the service answers to bad ones.
    public var form: TokenForm
    /// The calls it knows beside those of its form; empty when a profile declares no service.
    public var endpoints: [DeclaredEndpoint]

    /// Whether a profile declares one.
    public var isDeclared: Bool { !endpoints.isEmpty }

    /// Its calls as profiles and results name them.
    public var calls: [EndpointDescription] { isDeclared ? tokenService.endpoints : [] }

    /// How long the work on a call takes where its endpoint sets it, by its name.
    public var serviceTimes: [String: Distribution] {
        let told = endpoints.compactMap { end in end.serviceTime.map { (end.name, $0) } }
        return Dictionary(told) { first, _ in first }
    }

    var tokenService: TokenService {
        var service = TokenService(form, routes: endpoints.map(\.route))
        service.name = "declared"
        service.origin = origin
        return service
    }
}

extension ServiceKind {
    /// The service that a profile declares, in place of those that this package brings.
    static let declared = ServiceKind(
        endpoints: [], settings: [DeclaredService.setting.checking],
        serviceTimes: { $0.declared.serviceTimes },
        origins: { $0.declared.isDeclared ? [$0.declared.origin] : [] }
    ) { plan, root in
        [plan.declared.tokenService.service(by: plan, root)]
    }

    /// The kinds in a plan's world: a declared service replaces the built-in ones, and one of
    /// another package on its origin.
    public static func mounted(by plan: ServicesPlan) -> [ServiceKind] {
        guard plan.declared.isDeclared else { return all.filter { !$0.isDeclaredOnly } }
        return [declared] + ownKinds.filter { !$0.origins(plan).contains(plan.declared.origin) }
    }

    /// The calls of a plan's services, as profiles and results name them.
    public static func endpoints(of plan: ServicesPlan) -> [EndpointDescription] {
        plan.declared.calls + mounted(by: plan).flatMap(\.endpoints)
    }

    private var isDeclaredOnly: Bool {
        settings.contains { $0.key == DeclaredService.setting.key }
    }
}

extension ServicesPlan {
    /// The service that a profile declares, if it does.
    public var declared: DeclaredService {
        get { self[DeclaredService.setting] }
        set { self[DeclaredService.setting] = newValue }
    }
}

extension DeclaredService {
    /// The service as a setting of a profile's backend.
    public static let setting = Setting(
        "service", format, otherwise: [:],
        "An API of your own in place of the built-in ones: its calls, and how its tokens travel.")

    /// The format of it in a profile.
    public static var format: SettingFormat<DeclaredService> {
        // Nothing is drawn from it: a drawn name would lead nowhere.
        SettingFormat.section { DeclaredService(&$0) }.described { $0.domain = .unknown }
    }

    private init(_ read: inout SettingsReader) {
        origin = read(
            "origin", .origin, otherwise: "https://api.example.com",
            "Where it is reached: scheme, host and port.")
        let base = read(
            "form", .choice(Form.self), otherwise: "bearer",
            "How tokens travel, but for what is said below; bearer is OAuth 2.0.")
        form = TokenForm(base.form, &read)
        endpoints = read(
            "endpoints", .list(of: .section { DeclaredEndpoint(&$0) }, 0...500), otherwise: [],
            "Its calls beside those that have to do with tokens.")
        checkThatItAnswers(&read)
        checkNames(&read)
        checkRefusals(&read)
    }

    /// The built-in forms, by their names.
    private enum Form: String, CaseIterable {
        case bearer, status419, sessionCookie

        var form: TokenForm {
            switch self {
            case .bearer: .bearer
            case .status419: .status419
            case .sessionCookie: .sessionCookie
            }
        }
    }

    /// A section that is not empty declares a service; a service without a call answers nothing.
    private func checkThatItAnswers(_ read: inout SettingsReader) {
        guard !read.keys.isEmpty, endpoints.isEmpty, read.isSound("endpoints") else { return }
        let path = read.path.appending("endpoints")
        read.report(
            at: path,
            "\(path) must have at least one call, such as { \"name\": \"posts\", \"path\":"
                + " \"/posts\" }: a service needs a call")
    }

    /// Refuses a name, or a verb with a path, that two calls have.
    private func checkNames(_ read: inout SettingsReader) {
        var names = form.calls.map(\.1.name)
        var calls = form.calls.map { "\($0.1.method) \($0.1.path)" }
        for (index, endpoint) in endpoints.enumerated() {
            let path = read.path.appending("endpoints").appending(index)
            guard read.isSound(at: path) else { continue }
            if names.contains(endpoint.name) {
                let place = path.appending("name")
                read.report(
                    at: place, "\(place) \"\(endpoint.name)\" is taken by another call of it")
            }
            let call = "\(endpoint.method) \(endpoint.path)"
            if calls.contains(call) {
                let place = path.appending("path")
                read.report(at: place, "\(place): \(call) is another call of it already")
            }
            names.append(endpoint.name)
            calls.append(call)
        }
    }

    /// A client that cannot tell an expired token from a lost session cannot be right.
    private func checkRefusals(_ read: inout SettingsReader) {
        let (expired, signedOut) = (form.expired, form.signedOut)
        guard expired.status == signedOut.status,
            expired.body == signedOut.body || expired.statusAlone && signedOut.statusAlone,
            read.isSound("expired", "signedOut")
        else { return }
        let path = read.path.appending("signedOut")
        read.report(
            at: path,
            "\(path) must differ from what an expired access token is answered, status"
                + " \(expired.status) with the same body")
    }
}

extension TokenForm {
    /// A form with some of its parts changed.
    init(_ base: TokenForm, _ read: inout SettingsReader) {
        self = base
        access =
            read.optional(
                "token", TokenPlace.format, "Where a request shows its access token.")
            ?? access
        if case .path = access {
            let place = read.path.appending("token")
            read.report(
                at: place,
                "\(place) must be a header, query, cookie or body: calls have no place for it in"
                    + " their paths")
        }
        logIn =
            read.optional(
                "logIn", .section { TokenCall("logIn", base.logIn, &$0) }, "The call that signs in."
            )
            ?? logIn
        refresh =
            read.optional(
                "refresh", .section { TokenCall("refresh", base.refresh, &$0) },
                "The call that trades a refresh token for a new access token.") ?? refresh
        logOut =
            read.optional(
                "logOut", .section { TokenCall("logOut", base.logOut, &$0) },
                "The call that says that a session is over.") ?? logOut
        delivery =
            read.optional("delivery", TokenDelivery.format, "How new tokens are told.") ?? delivery
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
    }
}

extension TokenRefusal {
    fileprivate init(_ own: TokenRefusal, _ read: inout SettingsReader) {
        self.init(
            read(
                "status", .integer(400...599), otherwise: .integer(Int64(own.status)),
                "The status."),
            read(
                "body", .text(0...1_000), otherwise: .string(own.body),
                "The body, as a text; mostly JSON."))
        statusAlone = read(
            "statusAlone", .flag, otherwise: .bool(own.statusAlone),
            "With a real server: whether the status alone tells it, since bodies vary.")
    }
}

extension TokenCall {
    /// A request without a body cannot show a token in it.
    private func checkBody(_ read: inout SettingsReader) {
        guard method == .get || method == .head, read.isSound("method", "token") else { return }
        let place = read.path.appending("method")
        if name == "logIn" {
            read.report(
                at: place, "\(place) must have a body for name and password, got \(method)")
        } else if let member = token.nameInBody {
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
            read("path", .path, otherwise: .string(own.path), "The path."),
            token: read.optional("token", TokenPlace.format, "Where the refresh token stands.")
                ?? own.token,
            showsAccess: read(
                "showsAccess", .flag, otherwise: .bool(own.showsAccess),
                "Whether it must show the access token too."))
        status = own.status
        isForm =
            read(
                "body", .words(["json", "form"]), otherwise: .string(own.isForm ? "form" : "json"),
                "How its body is written: as a JSON object, or as a form.") == "form"
        fields = read(
            "fields", .list(of: .tokenField, 0...20),
            otherwise: .array(own.fields.map { .string("\($0.name)=\($0.value)") }),
            "What the body has beside account or token, each as name=value: grant_type=password."
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
        let place = read.path.appending("path")
        read.report(
            at: place,
            "\(place) must end with \"/{\(member)}\", where the token stands, got"
                + " \"\(path)\"")
    }
}

extension SettingFormat<String> {
    fileprivate static var tokenField: SettingFormat {
        SettingFormat.text(2...500).refusing { text, path in
            TokenField(text) == nil
                ? "\(path) must be a name and a value with = between them, got \"\(text)\"" : nil
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
        .header(
            read("name", .text(1...100), otherwise: "Authorization", "The field."),
            scheme: read.optional(
                "scheme", .text(1...50), "What stands before the token, such as Bearer."))
    }
}

extension TokenDelivery {
    /// A way to deliver tokens, as profiles write it.
    static var format: SettingFormat<TokenDelivery> {
        .oneOf([
            Setting("json", .section { json(&$0) }, "As members of a JSON object."),
            Setting("cookies", .section { cookies(&$0) }, "As cookies."),
        ])
    }

    private static func json(_ read: inout SettingsReader) -> TokenDelivery {
        .json(
            access: read(
                "access", .text(1...100), otherwise: "access_token", "The access token's name."),
            refresh: read(
                "refresh", .text(1...100), otherwise: "refresh_token", "The refresh token's name."),
            lifetime: read.optional(
                "lifetime", .text(1...100), "The name of the access token's life in seconds."))
    }

    private static func cookies(_ read: inout SettingsReader) -> TokenDelivery {
        .cookies(
            access: read(
                "access", .text(1...100), otherwise: "session", "The access token's name."),
            refresh: read(
                "refresh", .text(1...100), otherwise: "renewal", "The refresh token's name."))
    }
}
