import SquallFormat

/// Finds the calls that sign in, refresh and sign out: by the OAuth flows, by what they are sent,
/// and last by their names.
struct OpenAPITokenCalls {
    /// The settings that name those calls.
    private(set) var settings: [ProfileValue.Member] = []
    private(set) var remarks: [String] = []
    /// The verbs and path shapes of those calls.
    private(set) var shapes: [String] = []

    /// What such a call does.
    enum Kind: String, CaseIterable, Sendable {
        case logIn, refresh, logOut

        /// The option that confirms or corrects the guess.
        var option: String {
            switch self {
            case .logIn: "--log-in"
            case .refresh: "--refresh"
            case .logOut: "--log-out"
            }
        }

        /// Parts of its path, those of better evidence first.
        fileprivate var words: [[String]] {
            switch self {
            case .logIn: [TokenWords.logIn + ["/auth/token"]]
            case .refresh: [TokenWords.refresh]
            case .logOut:
                // OAuth's revocation (RFC 7009) ends a session, too.
                [
                    ["logout", "signout", "sign-out", "log-out"],
                    ["oauth/revoke", "oauth2/revoke", "token/revoke", "tokens/revoke"],
                ]
            }
        }
    }

    /// A call and what it was recognised by.
    private struct Found {
        let method, path: String
        let evidence: String

        var title: String { "\(method) \(path)" }
    }

    /// Takes those that the user names, as `POST /x`, and finds the others.
    init(
        _ calls: [OpenAPICall], _ security: OpenAPISecurity, _ sizes: OpenAPISizes,
        given: [Kind: String]
    ) throws {
        var told: [String] = []
        var missing: [String] = []
        for kind in Kind.allCases {
            let own = given[kind].map { Self.given($0, kind) }
            guard let found = try own ?? Self.find(kind, calls, security, sizes) else {
                missing.append(
                    "No \(kind.rawValue) was found; name it with \(kind.option) 'POST /path'.")
                continue
            }
            let shape = "\(found.method) \(OpenAPICall.shape(found.path))"
            if !shapes.contains(shape) { shapes.append(shape) }
            settings.append(
                DeclaredAPI.tokenCall(
                    kind.rawValue, method: found.method, path: found.path,
                    token: found.method == "GET" ? DeclaredAPI.tokenHeader : nil))
            told.append("\(kind.rawValue) is \(found.title), \(found.evidence)")
        }
        if !told.isEmpty {
            let options = Kind.allCases.map(\.option).joined(separator: ", ")
            remarks.append(
                told.joined(separator: "; ") + ". Correct it with \(options) 'POST /path'.")
        }
        remarks += missing
    }

    private static func given(_ text: String, _ kind: Kind) -> Found {
        let words = text.split(separator: " ", maxSplits: 1)
        let method = words.count == 2 ? words[0].uppercased() : "POST"
        return Found(
            method: method, path: OpenAPICall.path(String(words.last ?? "")),
            evidence: "as \(kind.option) says")
    }

    /// The call with the best evidence; of equal ones POST stands before PUT and GET.
    private static func find(
        _ kind: Kind, _ calls: [OpenAPICall], _ security: OpenAPISecurity, _ sizes: OpenAPISizes
    ) throws -> Found? {
        let methods = ["POST", "PUT", "GET", "DELETE"]
        let own = calls.filter { call in
            methods.contains(call.method) && !call.path.contains("{")
                && !(kind == .logIn && call.method == "GET")
        }.enumerated().sorted { left, right in
            let (one, other) = (
                methods.firstIndex(of: left.element.method) ?? 9,
                methods.firstIndex(of: right.element.method) ?? 9
            )
            return (one, left.offset) < (other, right.offset)
        }.map(\.element)
        func flow(_ path: String?) -> Found? {
            path.map {
                Found(
                    method: "POST", path: OpenAPICall.path($0),
                    evidence: "by the OAuth flow's address")
            }
        }
        let token = flow(security.tokenPaths.first)
        if kind == .logIn, let token { return token }
        if kind == .refresh, let found = flow(security.refreshPath) { return found }
        for call in own where try isByFields(kind, call, sizes) {
            return Found(
                method: call.method, path: call.fullPath, evidence: "by what it is sent")
        }
        let named = kind.words.lazy.compactMap { words in
            own.first { call in
                words.contains { call.path.lowercased().contains($0) }
                    && (kind != .refresh || TokenWords.isRefresh(call.path))
            }
        }.first.map { Found(method: $0.method, path: $0.fullPath, evidence: "by its name") }
        guard kind == .refresh else { return named }
        return security.isPasswordOnly ? named ?? token : token ?? named
    }

    /// Whether the names of what a call is sent say so.
    private static func isByFields(
        _ kind: Kind, _ call: OpenAPICall, _ sizes: OpenAPISizes
    ) throws -> Bool {
        let path = call.path.lowercased()
        let others = [
            "register", "signup", "sign-up", "reset", "forgot", "change", "revoke", "logout",
            "confirm", "invite", "password",
        ]
        guard kind != .logOut, call.method != "GET", !others.contains(where: path.contains) else {
            return false
        }
        let fields = try sizes.requestNames(of: call)
        if let grants = fields["granttype"] {
            return kind == .refresh
                ? grants.isEmpty || grants.contains("refresh_token")
                : grants.isEmpty || grants.contains("password")
        }
        switch kind {
        case .refresh: return fields["refreshtoken"] != nil
        case .logIn:
            let names = ["email", "username", "login", "user", "phone"]
            return fields["password"] != nil && fields.count <= 6
                && names.contains { fields[$0] != nil }
        case .logOut: return false
        }
    }
}

extension OpenAPISizes {
    /// What a call is sent, by names in lower case, each with the values that it may have.
    fileprivate func requestNames(of call: OpenAPICall) throws -> [String: [String]] {
        var names: [String: [String]] = [:]
        func add(_ name: String, _ schema: JSONNode?) {
            let key = name.lowercased().filter { $0 != "_" && $0 != "-" }
            names[key] = (schema?["enum"]?.elements ?? []).compactMap(\.text)
        }
        for parameter in try file.parameters(of: call) where parameter.text("in") == "query" {
            if let name = parameter.text("name") { add(name, parameter["schema"]) }
        }
        guard let (schema, pointer) = try request(of: call) else { return names }
        let whole = try file.resolved(schema, pointer)
        let parts =
            [whole]
            + (try ["allOf", "oneOf", "anyOf"].flatMap { key in
                try (whole[key]?.elements ?? []).map { try file.resolved($0, pointer) }
            })
        for member in parts.flatMap({ $0["properties"]?.members ?? [] }) {
            add(member.name, member.value)
        }
        return names
    }
}
