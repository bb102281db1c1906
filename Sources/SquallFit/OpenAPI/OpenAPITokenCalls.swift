import SquallFormat
import SquallHTTP

/// Finds the calls that sign in, refresh and sign out: by the OAuth flows, by the fields of their
/// requests, and last by their names.
struct OpenAPITokenCalls {
    /// The settings that name those calls.
    private(set) var settings: [ProfileValue.Member] = []
    private(set) var remarks: [String] = []
    /// The verbs and path shapes of those calls.
    private(set) var shapes: [String] = []
    /// True if a refresh was found or named; nothing else can end an expiry.
    private(set) var hasRefresh = false
    /// The lives that the responses state of the tokens, in nanoseconds.
    private(set) var lives: (access: Int64?, refresh: Int64?)

    /// The purpose of such a call.
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
            case .logIn:
                [
                    TokenWords.logIn + ["/auth/token"],
                    ["token/pair", "token/obtain", "/authenticate", "obtaintoken", "/auth"],
                ]
            case .refresh: [TokenNames.refresh]
            case .logOut:
                // OAuth's revocation (RFC 7009) ends a session, too, and so does a list of tokens
                // that are refused.
                [
                    TokenWords.logOut,
                    ["oauth/revoke", "oauth2/revoke", "token/revoke", "tokens/revoke"],
                    ["token/blacklist", "tokens/blacklist", "/blacklist", "deletesession"],
                ]
            }
        }
    }

    /// A call with the evidence by which it was recognised.
    struct Found {
        let method, path: String
        let evidence: String
        /// The document's call; `nil` where it has none of that path.
        var call: OpenAPICall?
        /// True if an OAuth flow names it.
        var isFlow = false

        var title: String { "\(method) \(path)" }
        var shape: String { "\(method) \(OpenAPICall.shape(path))" }

        init(_ call: OpenAPICall, _ evidence: String) {
            (method, path, self.evidence) = (call.method, call.fullPath, evidence)
            self.call = call
        }

        init(_ method: String, _ path: String, _ evidence: String, among calls: [OpenAPICall]) {
            (self.method, self.evidence) = (method, evidence)
            // An address may be told from the API's root.
            let known =
                calls.first { $0.method == method && $0.fullPath == path }
                ?? calls.first { $0.method == method && $0.path == path }
                ?? calls.first { $0.method == method && $0.fullPath.trimmed == path.trimmed }
            self.path = known?.fullPath ?? path
            call = known
        }
    }

    private let calls: [OpenAPICall]
    private let security: OpenAPISecurity
    private let fields: OpenAPIFields

    /// Takes those that the user names, as `POST /x`, and finds the others.
    init(
        _ calls: [OpenAPICall], _ security: OpenAPISecurity, _ responses: OpenAPIResponses,
        given: [Kind: String]
    ) throws {
        (self.calls, self.security) = (calls, security)
        fields = OpenAPIFields(responses: responses)
        var told: [String] = []
        var found: [Kind: Found] = [:]
        for kind in Kind.allCases {
            let own = given[kind].map { Self.given($0, kind, calls) }
            guard let call = try own ?? find(kind, besides: found[.logIn]) else {
                remarks.append(missing(kind))
                continue
            }
            found[kind] = call
            if !shapes.contains(call.shape) { shapes.append(call.shape) }
            told.append("\(kind.rawValue) is \(call.title), \(call.evidence)")
        }
        hasRefresh = found[.refresh] != nil
        let form = OpenAPITokenForm(fields: fields, security: security, found: found)
        settings = try form.settings
        lives = try form.lives
        if !told.isEmpty {
            let options = Kind.allCases.map(\.option).joined(separator: ", ")
            remarks.insert(
                told.joined(separator: "; ") + ". Correct it with \(options) 'POST /path'.", at: 0)
        }
        remarks += try form.remarks
    }

    private func missing(_ kind: Kind) -> String {
        guard kind != .refresh else {
            return "No refresh was found, so tokens do not expire here and no threshold is about"
                + " them; name it with --refresh 'POST /path' to simulate one."
        }
        let form = security.areCookies ? TokenForm.sessionCookie : .bearer
        let isMissed = kind == .logIn && calls.contains { security.isNeeded(for: $0) }
        let others = isMissed ? ", so users sign in at POST \(form.logIn.path)" : ""
        return "No \(kind.rawValue) was found\(others); name it with \(kind.option) 'POST /path'."
    }

    private static func given(_ text: String, _ kind: Kind, _ calls: [OpenAPICall]) -> Found {
        let words = text.split(separator: " ", maxSplits: 1)
        let method = words.count == 2 ? words[0].uppercased() : "POST"
        return Found(
            method, OpenAPICall.path(String(words.last ?? "")), "as \(kind.option) says",
            among: calls)
    }

    /// The call with the best evidence; of equal ones POST stands before PUT and GET.
    private func find(_ kind: Kind, besides logIn: Found?) throws -> Found? {
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
                var found = Found(
                    "POST", OpenAPICall.path($0), "by the OAuth flow's address", among: calls)
                found.isFlow = true
                return found
            }
        }
        let token = flow(security.tokenPaths.first)
        if kind == .logIn, let token { return token }
        if kind == .refresh, let found = flow(security.refreshPath) { return found }
        let sent = try own.filter { try isByFields(kind, $0) }
        if let call = try best(of: sent, kind) { return Found(call, "by what it is sent") }
        var words = kind.words
        // OAuth's own sign-out is its revocation.
        if kind == .logOut, logIn?.isFlow == true { words.swapAt(0, 1) }
        let named = try words.compactMap { words in
            try own.first { call in
                try words.contains(where: TokenWords.plain(call.path).contains)
                    && (kind != .refresh || TokenWords.isRefresh(call.path))
                    && call.shape != logIn?.shape && isPossible(kind, call)
            }
        }.first.map { Found($0, "by its name") }
        if kind == .logIn, named == nil,
            let call = try own.first(where: { try isByFields(.refresh, $0) })
        {
            guard try fields.sent(call).contains(where: { $0.word == "granttype" }) else {
                return nil
            }
            return Found(call, "as it refreshes; that it has OAuth's grant \"password\" is assumed")
        }
        if kind == .logOut, named == nil, let logIn,
            let call = own.first(where: { $0.method == "DELETE" && $0.fullPath == logIn.path })
        {
            return Found(call, "as it deletes what a sign-in makes")
        }
        guard kind == .refresh else { return named }
        guard security.isPasswordOnly else { return token ?? named }
        return try named ?? token.flatMap { try takesRefresh($0) ? $0 : nil }
    }

    /// True if a token endpoint of which the document says only that it takes a password also
    /// refreshes, as OAuth's does (RFC 6749 §6).
    private func takesRefresh(_ endpoint: Found) throws -> Bool {
        guard let call = endpoint.call else { return true }
        let told = try fields.told(by: call)
        guard told?.access == nil || told?.refresh != nil else { return false }
        let sent = try fields.sent(call)
        let grants = sent.first { $0.word == "granttype" }?.choices
        return sent.isEmpty || grants?.isEmpty == true
    }

    /// The first of the calls with the best evidence beside their requests.
    ///
    /// That is a name that says it, then a token in the answer, then another name: a first
    /// installation is sent an account, too.
    private func best(of calls: [OpenAPICall], _ kind: Kind) throws -> OpenAPICall? {
        let ranks = try calls.map { call in
            let path = TokenWords.plain(call.path)
            let place = kind.words.firstIndex { $0.contains { path.contains($0) } }
            let named = place.map { $0 == 0 ? 3 : 1 } ?? 0
            let doubt = kind == .logIn && needsOwnToken(call) ? 4 : 0
            return try named + (fields.told(by: call)?.access == nil ? 0 : 2) - doubt
        }
        return ranks.max().flatMap { best in ranks.firstIndex(of: best).map { calls[$0] } }
    }

    /// True for a call that says for itself that it needs a token.
    private func needsOwnToken(_ call: OpenAPICall) -> Bool {
        call.operation["security"] != nil && security.isNeeded(for: call)
    }

    /// True if the document's fields of a call permit what its name says: a sign-in is sent an
    /// account or answers a token, and a refresh that answers something answers a token.
    ///
    /// A word that other calls have in their paths, too, must be the path's end where no token in
    /// the answer says more.
    private func isPossible(_ kind: Kind, _ call: OpenAPICall) throws -> Bool {
        let path = TokenWords.plain(call.path)
        let isOfLogIns = kind == .logIn && !TokenWords.isLogIn(call.path)
        if isOfLogIns,
            Self.others.contains(where: path.contains) || security.isNeeded(for: call)
        {
            return false
        }
        guard kind != .logOut, !security.areCookies else { return true }
        let told = try fields.told(by: call)
        let words = Set(try fields.sent(call).map(\.word))
        let known = TokenNames.users + TokenNames.passwords + ["granttype"]
        if isOfLogIns, told?.access == nil {
            return kind.words.joined().contains { path.trimmed.hasSuffix($0) }
                && (words.isEmpty || known.contains(where: words.contains))
        }
        guard let told else { return true }
        let isSilent = kind == .logIn ? words.isEmpty : told.others.isEmpty
        return isSilent || told.access != nil
            || kind == .logIn && known.contains(where: words.contains)
    }

    /// Parts of the paths of calls that do something else with an account.
    private static let others =
        TokenWords.others + ["register", "signup", "blacklist", "verify", "delete", "deactivate"]

    /// True if the names of the request's fields show this kind.
    private func isByFields(_ kind: Kind, _ call: OpenAPICall) throws -> Bool {
        let path = TokenWords.plain(call.path)
        guard kind != .logOut, call.method != "GET", !Self.others.contains(where: path.contains)
        else { return false }
        let sent = try fields.sent(call)
        let names = Set(sent.map(\.word))
        let grants = sent.first { $0.word == "granttype" }?.choices
        switch kind {
        case .refresh:
            if let grants, !grants.isEmpty { return grants.contains("refresh_token") }
            if grants != nil, !names.contains("refreshtoken") { return false }
            // Settings of other services have tokens, too.
            let isShort = sent.count <= 8 && !names.contains("accesstoken")
            return names.contains("refreshtoken") && (isShort || TokenWords.isRefresh(call.path))
                || names.contains("refresh") && TokenWords.isRefresh(call.path)
        case .logIn:
            if let grants, !grants.isEmpty { return grants.contains("password") }
            return try sent.count <= 8 && names.contains(where: TokenNames.passwords.contains)
                && names.contains { name in
                    // Much has a name and a password: a network, a room.
                    TokenNames.users.contains(name)
                        && (name != "name" || TokenWords.isLogIn(call.path))
                } && isLogIn(call)
        case .logOut: return false
        }
    }

    /// True if a call that is sent a name and a secret is not known to do something else with them.
    private func isLogIn(_ call: OpenAPICall) throws -> Bool {
        let path = call.path.lowercased()
        // An account is created with a name and a password, too.
        let creations = ["users", "accounts", "members", "customers", "user", "account"]
        guard !creations.contains(where: { path.hasSuffix("/\($0)") || path.hasSuffix("/\($0)/") })
        else { return false }
        // Nobody has a token before the sign-in; but what holds for all calls is said of it, too,
        // and Django REST framework's says so itself.
        if needsOwnToken(call) { return try fields.told(by: call)?.access != nil }
        // Some servers want an account's secret with every call, or for a consent.
        guard !TokenWords.isLogIn(call.path), !security.areCookies,
            let told = try fields.told(by: call)
        else { return true }
        return told.access != nil || told.others.isEmpty
    }
}

extension String {
    /// A path without its slash at the end.
    fileprivate var trimmed: String { hasSuffix("/") ? String(dropLast()) : self }
}
