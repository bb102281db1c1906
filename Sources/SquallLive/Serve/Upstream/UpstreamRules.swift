import SquallBackend
import SquallFormat
import SquallHTTP
import SquallServices

/// Which calls of a real server deal with tokens, and where tokens travel: told, or found from
/// the traffic itself.
///
/// Names count less than what was seen: a call that brought tokens is one that deals with them, and
/// a place that showed a token that was brought is one where tokens stand.
struct UpstreamRules {
    private let plan: UpstreamPlan
    /// The calls whose responses brought tokens.
    private var learned: [Call: Endpoint.Role] = [:]
    /// Tokens that responses brought.
    private var refreshTokens: Set<TokenNumber> = []
    private var accessTokens: Set<TokenNumber> = []
    /// The meaning of paths by their words; each path is looked at once.
    private let words = PathWords()
    /// The places where access tokens were seen, beside the usual one.
    private(set) var accessPlaces: [TokenPlace] = []
    /// The names of cookies that hold refresh tokens.
    private var refreshCookies: [String] = []
    private static let learnedMax = 256
    private static let bodyBytesMax = 16 << 10

    private struct Call: Hashable {
        let method: HTTPMethod
        let path: String

        init(_ request: URLRequest) { (method, path) = (request.method, request.url.path) }
    }

    init(_ plan: UpstreamPlan) {
        self.plan = plan
        if let name = plan.tokenHeader { accessPlaces = [.header(name, scheme: nil)] }
    }

    func role(of request: URLRequest) -> Endpoint.Role {
        let path = request.url.path
        let fields = Self.fields(of: request)
        let grant = fields?["granttype"]
        if plan.refreshPath != nil || plan.signInPath != nil {
            let role = toldRole(path, grant)
            if let role { return role }
        }
        if !learned.isEmpty, let role = learned[Call(request)], grant == nil { return role }
        let words = words.of(path)
        guard !words.isOther else { return .ordinary }
        // A grant of whatever type brings a token (RFC 6749 §4.5).
        if let grant { return allowed(grant == "refresh_token" ? .refresh : .signIn) }
        let isBearer = bearer(in: request).map(isRefreshToken) ?? false
        if isBearer || refresh(in: fields) != nil || refresh(inQuery: request) != nil {
            return allowed(.refresh)
        }
        let isChange = request.method == .post || request.method == .put
        if words.isRefresh {
            let isRefresh = isChange && words.isAboutTokens || showsRefresh(request)
            return isRefresh ? allowed(.refresh) : .ordinary
        }
        if isChange, fields?["password"] != nil,
            Self.accountNames.contains(where: { fields?[$0] != nil })
        {
            return allowed(.signIn)
        }
        return request.method == .post && words.isLogIn ? allowed(.signIn) : .ordinary
    }

    static let accountNames = TokenNames.users + ["id"]

    /// True for a request that ends a session, by the last part of its path, so that
    /// `/help/logout-faq` and `/sessions/revoke-others` do not; a revocation shows the user's own
    /// token in its body (RFC 7009 §2.1), so that one of an invitation or a device does not.
    func isSignOut(_ request: URLRequest) -> Bool {
        let path = words.of(request.url.path)
        guard request.method != .get || path.isLogOut else { return false }
        if path.isLogOut { return true }
        return path.isRevocation
            && Self.fields(of: request)?.all.contains { isKnownToken($0.text) } ?? false
    }

    /// The client or account for which a request signs in, as far as it says so.
    static func account(of request: URLRequest) -> (account: UInt64, isClient: Bool)? {
        let fields = Self.fields(of: request)
        let grant = fields?["granttype"]
        let isClient =
            grant.map(TokenNames.grantsOfClients.contains) ?? (fields?["clientsecret"] != nil)
        let names = isClient ? ["clientid", "assertion", "subjecttoken"] : accountNames
        var word = names.lazy.compactMap { fields?[$0] }.first
        if isClient, word == nil { word = request.value(forHTTPHeaderField: "Authorization") }
        guard let word else { return nil }
        var hash = StableHash(of: (grant ?? "").utf8)
        for text in targets(fields) { hash.combine(text.utf8) }
        hash.combine(word.utf8)
        return (hash.value, isClient)
    }

    /// The scope or audience for which a request asks, where it names one.
    static func target(of request: URLRequest) -> UInt64? {
        let texts = targets(fields(of: request))
        guard texts.contains(where: { !$0.isEmpty }) else { return nil }
        return texts.reduce(into: StableHash()) { $0.combine($1.utf8) }.value
    }

    private static func targets(_ fields: MessageFields?) -> [String] {
        [fields?["scope"] ?? "", fields?["audience"] ?? fields?["resource"] ?? ""]
    }

    /// A role, unless another path was told for it; otherwise an ordinary call.
    private func allowed(_ role: Endpoint.Role) -> Endpoint.Role {
        switch role {
        case .refresh: plan.refreshPath == nil ? role : .ordinary
        case .signIn: plan.signInPath == nil ? role : .ordinary
        case .ordinary: role
        }
    }

    private func toldRole(_ path: String, _ grant: String?) -> Endpoint.Role? {
        if path == plan.refreshPath, grant ?? "refresh_token" == "refresh_token" { return .refresh }
        return path == plan.signInPath ? .signIn : nil
    }

    private func showsRefresh(_ request: URLRequest) -> Bool {
        request.headers.contains { MessageFields.plain($0.name).contains("refresh") }
            || refreshCookie(of: request) != nil
    }

    /// The tokens that a request shows.
    func shown(by request: URLRequest, role: Endpoint.Role) -> TokenTexts {
        var shown = TokenTexts(access: access(in: request))
        guard role == .refresh else {
            // As to Amazon Cognito; one that is revoked or looked into is called `token`.
            if shown.access == nil, role == .ordinary, !accessTokens.isEmpty,
                let text = Self.fields(of: request)?["accesstoken"],
                accessTokens.contains(TokenNumber(text: text))
            {
                shown.access = text
            }
            return shown
        }
        shown.refresh = refresh(in: request)
        if shown.refresh == nil, Self.fields(of: request)?.nulls.contains("refreshtoken") == true {
            shown.refresh = ""
        }
        // Some servers take the refresh token where the access token stands otherwise.
        if shown.refresh == nil, let token = shown.access { shown = TokenTexts(refresh: token) }
        if shown.access == nil { shown.access = Self.fields(of: request)?["accesstoken"] }
        return shown
    }

    private func access(in request: URLRequest) -> String? {
        for place in accessPlaces {
            if let text = place.token(in: request), !text.isEmpty {
                if case .header = place { return Self.bare(text) }
                return text
            }
        }
        return bearer(in: request)
    }

    private func bearer(in request: URLRequest) -> String? {
        request.value(forHTTPHeaderField: "Authorization").flatMap(Self.bare)
    }

    func isKnownToken(_ text: String) -> Bool {
        isRefreshToken(text) || accessTokens.contains(TokenNumber(text: text))
    }

    private func isRefreshToken(_ text: String) -> Bool {
        !refreshTokens.isEmpty && refreshTokens.contains(TokenNumber(text: text))
    }

    private func refresh(in request: URLRequest) -> String? {
        if let text = refresh(in: Self.fields(of: request)) { return text }
        let field = request.headers.first { MessageFields.plain($0.name).contains("refresh") }
        return field.flatMap { Self.bare($0.value) } ?? refreshCookie(of: request)
            ?? refresh(inQuery: request)
    }

    /// A refresh token in a query, by its name or as one that was brought.
    private func refresh(inQuery request: URLRequest) -> String? {
        guard let query = request.url.query else { return nil }
        return FormFields.pairs(in: Array(query.utf8)).first {
            MessageFields.plain($0.name) == "refreshtoken" && !$0.value.isEmpty
                || isRefreshToken($0.value)
        }?.value
    }

    /// A refresh token in the fields of a body: nothing that is shorter than a token, such as
    /// `"refresh": "daily"`.
    private func refresh(in fields: MessageFields?) -> String? {
        fields?["refreshtoken"] ?? fields?["refresh"].flatMap { $0.utf8.count < 16 ? nil : $0 }
            ?? fields?.all.first { isRefreshToken($0.text) }?.text
    }

    private func refreshCookie(of request: URLRequest) -> String? {
        guard let text = request.value(forHTTPHeaderField: "Cookie") else { return nil }
        for name in refreshCookies {
            if let value = FormFields.cookie(name, in: text) { return value }
        }
        return nil
    }

    /// A token without the word before it; `nil` for credentials that are none.
    private static func bare(_ value: String) -> String? {
        let words = value.split(separator: " ", maxSplits: 1)
        guard words.count == 2 else { return value.isEmpty ? nil : value }
        let scheme = words[0].asciiLowercased
        return ["basic", "digest", "negotiate", "ntlm", "aws4-hmac-sha256"].contains(scheme)
            ? nil : String(words[1])
    }

    static func fields(of request: URLRequest) -> MessageFields? {
        guard request.method != .get, (1...bodyBytesMax).contains(request.body.count) else {
            return nil
        }
        return MessageFields(
            request.body.bytes, contentType: request.value(forHTTPHeaderField: "Content-Type"))
    }
}

extension UpstreamRules {
    /// Notes that a call has brought tokens, so it is one that deals with them.
    mutating func learn(_ request: URLRequest, is role: Endpoint.Role) {
        guard learned.count < Self.learnedMax, allowed(role) != .ordinary else { return }
        learned[Call(request)] = role
    }

    /// The role of an ordinary call whose response brought an access token.
    ///
    /// One that shows an access token refreshes it, unless it says more: a new password, another
    /// organisation or a token for another service is a reason of its own.
    func role(bringingTokenTo request: URLRequest, showsAccess: Bool) -> Endpoint.Role {
        guard request.method != .get else { return .ordinary }
        guard showsAccess else { return .signIn }
        let hasToken = Self.fields(of: request)?.all.contains { isKnownToken($0.text) } ?? false
        return hasToken || request.body.count <= "{}".utf8.count ? .refresh : .ordinary
    }

    /// Notes a refresh token that a response brought: a call that shows it in its body refreshes.
    mutating func learn(refresh text: String) {
        if refreshTokens.count >= 65_536 { refreshTokens = [] }
        refreshTokens.insert(TokenNumber(text: text))
    }

    /// Notes an access token that a response brought: a call that shows it in its body may revoke
    /// it.
    mutating func learn(access text: String) {
        if accessTokens.count >= 65_536 { accessTokens = [] }
        accessTokens.insert(TokenNumber(text: text))
    }

    /// Notes a cookie that holds a token.
    mutating func learn(cookie name: String, is kind: TokenMint.Kind) {
        switch kind {
        case .access: learn(.cookie(name))
        case .refresh: if !refreshCookies.contains(name) { refreshCookies.append(name) }
        }
    }

    /// Looks where a request without a token at the known places shows one that was brought.
    mutating func learnPlace(in request: URLRequest, _ isKnown: (String) -> Bool) {
        guard plan.tokenHeader == nil, accessPlaces.count < 8 else { return }
        if let place = Self.place(in: request, isKnown) { learn(place) }
    }

    /// Where a request shows a token, beside its body.
    static func place(in request: URLRequest, _ isKnown: (String) -> Bool) -> TokenPlace? {
        for field in request.headers where field.value.utf8.count >= 8 {
            if field.name.asciiLowercased == "cookie" {
                for pair in field.value.split(separator: ";") {
                    let halves = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
                    if halves.count == 2, isKnown(String(halves[1])) {
                        return .cookie(String(halves[0]))
                    }
                }
            } else if let text = bare(field.value), isKnown(text) {
                let scheme = field.value.dropLast(text.count + 1)
                return .header(field.name, scheme: scheme.isEmpty ? nil : String(scheme))
            }
        }
        return FormFields.pairs(in: Array((request.url.query ?? "").utf8))
            .first { isKnown($0.value) }.map { .query($0.name) }
    }

    private mutating func learn(_ place: TokenPlace) {
        if !accessPlaces.contains(place) { accessPlaces.append(place) }
    }
}

/// The meaning of a path's calls by its words.
///
/// Looking for words in a text costs more than all else that a request does here.
private final class PathWords {
    struct Meaning {
        /// True where passwords or tokens in it are neither a sign-in's nor a refresh's.
        let isOther: Bool
        let isRefresh, isAboutTokens, isLogIn: Bool
        let isLogOut, isRevocation: Bool
    }

    private var known: [String: Meaning] = [:]
    private static let knownMax = 4_096

    func of(_ path: String) -> Meaning {
        if let meaning = known[path] { return meaning }
        let text = TokenWords.plain(path)
        func has(_ words: [String]) -> Bool { words.contains { text.contains($0) } }
        let last = path.split(separator: "/").last?.lowercased().filter(\.isLetter) ?? ""
        let meaning = Meaning(
            isOther: has(TokenWords.others), isRefresh: has(TokenWords.refresh),
            isAboutTokens: has(["auth", "token", "session", "jwt"]),
            isLogIn: has(TokenWords.logIn),
            isLogOut: TokenWords.logOut.contains(String(last)),
            isRevocation: last == "revoke" || last == "revocation")
        if known.count >= Self.knownMax { known = [:] }
        known[path] = meaning
        return meaning
    }
}
