import SquallBackend
public import SquallFit
import SquallHTTP
import SquallServices

/// The calls about tokens as a real server took them, and where tokens stood in them: names of
/// fields and members, and never what they held.
struct SeenTokens {
    private typealias Exchange = (call: TokenCall, pair: BroughtPair)

    private var signIn, refresh: Exchange?
    private var signOut: TokenCall?
    /// Where a call shows its access token.
    private var access: TokenPlace?

    /// Takes a request that the server accepted, by what it was found to be.
    mutating func note(
        _ request: URLRequest, _ role: Endpoint.Role, _ shown: TokenTexts, _ answer: Answer,
        by rules: UpstreamRules
    ) {
        switch role {
        case .signIn where signIn == nil:
            if let call = Self.signIn(request), let pair = Self.pair(answer) {
                signIn = (call, pair)
            }
        case .refresh where refresh == nil:
            if let text = shown.refresh, let pair = Self.pair(answer, isRefresh: true),
                let call = Self.call("refresh", request, shown, { $0 == text })
            {
                refresh = (call, pair)
            }
        case .ordinary:
            guard let text = shown.access else { return }
            if access == nil { access = UpstreamRules.place(in: request) { $0 == text } }
            guard signOut == nil, rules.isSignOut(request) else { return }
            signOut = Self.call("logOut", request, shown, rules.isKnownToken)
        case .signIn, .refresh: break
        }
    }

    /// The sign-in of a person by name and password; `nil` for any other.
    private static func signIn(_ request: URLRequest) -> TokenCall? {
        guard UpstreamRules.account(of: request)?.isClient == false,
            let fields = UpstreamRules.fields(of: request),
            let user = fields.path(among: UpstreamRules.accountNames),
            let password = fields.path(among: TokenNames.passwords)
        else { return nil }
        var call = call("logIn", request, token: TokenForm.bearer.logIn.token)
        (call.userField, call.passwordField) = (user, password)
        return call
    }

    /// A call that shows a token, in its body or elsewhere.
    private static func call(
        _ name: String, _ request: URLRequest, _ shown: TokenTexts, _ isToken: (String) -> Bool
    ) -> TokenCall? {
        let inBody = UpstreamRules.fields(of: request)?.all.first { isToken($0.text) }?.path
        guard let place = inBody.map(TokenPlace.body) ?? UpstreamRules.place(in: request, isToken)
        else { return nil }
        var call = call(name, request, token: place)
        call.showsAccess = UpstreamRules.place(in: request) { $0 == shown.access } != nil
        return call
    }

    /// Fields that clients of a service have in common, and that are no secret: RFC 6749 §2.2 and
    /// §3.3, RFC 8707, and Auth0's audience.
    private static let commonFields = ["granttype", "clientid", "scope", "resource", "audience"]

    /// A call by its address, with the fields that are the same for everybody.
    private static func call(
        _ name: String, _ request: URLRequest, token: TokenPlace
    ) -> TokenCall {
        var call = TokenCall(name, request.method, request.url.path, token: token)
        let type = request.value(forHTTPHeaderField: "Content-Type")?.asciiLowercased
        call.isForm = type?.contains("urlencoded") ?? false
        let fields = UpstreamRules.fields(of: request)?.all ?? []
        call.fields = fields.compactMap { field in
            guard commonFields.contains(field.name) else { return nil }
            return field.path.map { TokenField($0, field.text) }
        }
        return call
    }

    /// Where tokens stand in a response; no token is kept.
    private static func pair(_ answer: Answer, isRefresh: Bool = false) -> BroughtPair? {
        var calls = TokenCalls(.bearer)
        calls.open = [.tokens, .refreshed]
        var pair = BroughtPair(
            answer.headers, answer.body.bytes, of: calls, isRefresh: isRefresh)
        pair?.access = ""
        pair?.refresh = nil
        return pair
    }

    /// How tokens travel; `nil` where no call was seen that brought some.
    var form: TokenForm? {
        guard let first = signIn ?? refresh else { return nil }
        var calls = TokenCalls(.bearer)
        calls.form = .bearer
        calls.open = [.tokens, .refreshed, .access, .refresh]
        if let signIn { calls.form.logIn = signIn.call }
        calls.learn(from: first.pair)
        if let refresh {
            calls.learnRefresh(from: refresh.pair)
            calls.form.refresh = refresh.call
        }
        if let access { calls.form.access = access }
        if let signOut { calls.form.logOut = signOut }
        return calls.form
    }

    /// What a fit makes of it.
    var calls: SeenTokenCalls? {
        func place(_ call: TokenCall?) -> SeenTokenCalls.Call? {
            call.map { SeenTokenCalls.Call(method: $0.method.rawValue, path: $0.path) }
        }
        return form.map {
            SeenTokenCalls(
                logIn: place(signIn?.call), refresh: place(refresh?.call), logOut: place(signOut),
                settings: $0.settings,
                statedLife: (signIn ?? refresh)?.pair.stated.first?.nanoseconds)
        }
    }
}

extension MessageFields {
    /// The written name of the first field that has one of these names, the most usual first.
    fileprivate func path(among names: [String]) -> String? {
        names.lazy.compactMap { name in all.first { $0.name == name } }.first?.path
    }
}

extension LiveServer {
    /// The calls about tokens as a real server took them; `nil` where none was seen.
    public var seenTokens: SeenTokenCalls? { world.upstream?.seen.calls }
}
