import SquallBackend
import SquallFormat
import SquallHTTP
import SquallKernel

/// Responds to the requests to a ``TokenService``.
final class TokenAnswers: Service, PacedService {
    let name: String
    let origins: [String]
    let endpoints: [EndpointDescription]
    private let plan: TokenService
    private var form: TokenForm { plan.form }
    private var routes: [TokenRoute] { plan.routes }
    private let chance: RandomStream
    private let userCount: Int
    private let epoch: Epoch
    /// The rows of routes that replace a call of the form, by that call's row.
    private let replaced: [Int: Int]
    private lazy var router = Router(endpoints)
    private var paces: [PaceKey: [(gap: Duration, count: Int)]] = [:]

    private struct PaceKey: Hashable {
        let user, exchange: UInt64
    }

    init(_ plan: TokenService, randomness: RandomStream, userCount: Int, epoch: Epoch) {
        self.epoch = epoch
        name = plan.name
        origins = plan.origins
        endpoints = plan.endpoints
        self.plan = plan
        let calls = plan.form.calls.map(\.1)
        replaced = calls.indices.reduce(into: [:]) { rows, row in
            let call = calls[row]
            rows[row] = plan.routes.firstIndex { ($0.method, $0.path) == (call.method, call.path) }
                .map { $0 + calls.count }
        }
        chance = randomness.stream(named: "service.\(plan.name)")
        self.userCount = userCount
    }

    /// Finds a request's endpoint; where signing in and refreshing are one call, as in OAuth 2.0, a
    /// refresh token tells them apart.
    func route(_ request: URLRequest, by router: Router) -> Route? {
        let route = router.route(request)
        if let row = route?.row, let own = replaced[row] { return Route(row: own) }
        guard let row = route?.row, row < 2, form.logIn.path == form.refresh.path,
            form.logIn.method == form.refresh.method
        else { return route }
        // A field tells them apart that each has with a value of its own, such as a grant type.
        for field in form.refresh.fields {
            guard form.logIn.fields.contains(where: { $0.name == field.name && $0 != field }),
                let value = TokenPlace.body(field.name).token(in: request)
            else { continue }
            return Route(row: value == field.value ? 1 : 0)
        }
        guard let token = form.refresh.token.tokenOrNull(in: request) else { return Route(row: 0) }
        // One type for both calls writes what it has no value for, too.
        let isSignIn =
            token.isEmpty && TokenPlace.body(form.logIn.userField).token(in: request) != nil
        return Route(row: isSignIn ? 0 : 1)
    }

    func answer(_ request: URLRequest, to route: Route?, in scene: ServiceScene) -> Answer {
        guard let route else { return stray(request) }
        switch route.row {
        case 0: return logIn(request, scene)
        case 1:
            guard form.hasRefreshTokens else { return answer(request, to: nil, in: scene) }
            return guarded(request, form.refresh.token) ?? refresh(request, scene)
        case 2:
            return guarded(request, form.logOut.token) ?? unknownUser(signingOut: request, scene)
                ?? logOut(tokens(in: request, of: form.logOut.token), scene)
        default: return answer(request, to: routes[route.row - 3], route, scene)
        }
    }

    /// The response to a path that there is not, or not with this verb (RFC 9110 §15.5.6).
    private func stray(_ request: URLRequest) -> Answer {
        let verbs = [HTTPMethod.get, .post, .put, .patch, .delete].filter { verb in
            var other = request
            other.method = verb
            return verb != request.method && router.route(other) != nil
        }
        guard !verbs.isEmpty else {
            return Answer(status: 404, body: Body(#"{"error":"not found"}"#))
        }
        return Answer(
            status: 405,
            headers: Answer.json.adding(["Allow": verbs.map(\.rawValue).joined(separator: ", ")]),
            body: Body(#"{"error":"method not allowed"}"#))
    }

    /// The refusal of a request that writes with a token in a cookie and does not repeat the cookie
    /// beside it; `nil` where it is let through.
    private func guarded(_ request: URLRequest, _ place: TokenPlace) -> Answer? {
        guard let csrf = form.csrf, case .cookie = place,
            ![.get, .head].contains(request.method), let token = place.token(in: request),
            request.value(forHTTPHeaderField: csrf.header) != CSRFGuard.value(beside: token)
        else { return nil }
        return Answer(csrf.refused)
    }

    private func answer(
        _ request: URLRequest, to call: TokenRoute, _ route: Route, _ scene: ServiceScene
    ) -> Answer {
        var user: Int?
        let shown = form.minted(form.access.token(in: request))
        switch shown.map({ scene.tokens.judge($0, as: .access, at: scene.now) }) {
        case .valid(let number)?: user = number
        case nil where call.needsToken: return Answer(form.refusal(.missing))
        case .expired? where call.needsToken:
            let isEnded =
                form.others[.ended] != nil
                && !scene.tokens.hasOutlived(shown ?? "", at: scene.now)
            return Answer(isEnded ? form.refusal(.ended) : form.expired)
        case .unverifiable? where call.needsToken:
            let isOther = shown.map { isGenuine($0, as: .refresh, scene) } ?? false
            return Answer(isOther ? form.refusal(.refreshAsAccess) : form.unauthorized)
        case nil, .expired?, .unverifiable?: break
        }
        if user != nil, let refused = guarded(request, form.access) { return refused }
        if let failure = call.failure,
            chance.stream(number: scene.user).chance(failure.probability, at: scene.ordinal)
        {
            return answer(to: .failure(status: failure.status))
        }
        let variables = [route.first, route.second].map(String.init).filter { !$0.isEmpty }
        let reply = call.answer(
            ServiceCall(
                request: request, variables: variables, user: user, now: scene.now,
                mint: ServiceMint(scene, userCount: userCount)))
        if !reply.pieces.isEmpty {
            paces[PaceKey(user: scene.user, exchange: scene.exchange)] = reply.pieces.map {
                ($0.gap, $0.bytes.count)
            }
        }
        return Answer(reply)
    }

    func pace(user: UInt64, exchange: UInt64) -> [(gap: Duration, count: Int)]? {
        paces.removeValue(forKey: PaceKey(user: user, exchange: exchange))
    }

    func answer(to error: ServiceError) -> Answer {
        switch error {
        case .accessTokenExpired: Answer(form.expired)
        case .signedOut: Answer(form.signedOut)
        case .overloaded(let seconds), .tooManyCalls(let seconds):
            Answer(status: error.usualStatus, body: Body("{}")).retryAfter(seconds: seconds)
        case .failure(let status):
            // A client may take any other object for a token (RFC 6749 §5.2).
            Answer(
                status: status, headers: Answer.json.adding(plan.failureHeaders),
                body: Body((400..<500).contains(status) ? #"{"error":"invalid_request"}"# : "{}"))
        }
    }

    func meaning(of answer: Answer, to route: Route?) -> AnswerMeaning {
        // The call tells what a refusal means that both kinds of token are given.
        if route?.row == 1, form.endings.contains(where: answer.isRefusal) { return .signedOut }
        if answer.isRefusal(form.expired) {
            // A body of its own tells more than one that may be any.
            let isOther = form.expired.statusAlone && !form.signedOut.statusAlone
            return isOther && answer.isRefusal(form.signedOut) ? .signedOut : .expired
        }
        if answer.isRefusal(form.signedOut) { return .signedOut }
        return AnswerMeaning(classOf: answer.status)
    }

    func needsToken(_ route: Route) -> Bool { route.row > 2 && routes[route.row - 3].needsToken }

    func tokens(in request: URLRequest, to route: Route?) -> TokenTexts? {
        switch route?.row {
        case 0: TokenTexts()
        case 1: tokens(in: request, of: form.refresh.token)
        case 2: tokens(in: request, of: form.logOut.token)
        case .some(let row) where routes[row - 3].refreshToken != nil:
            tokens(in: request, of: routes[row - 3].refreshToken)
        default: TokenTexts(access: form.minted(form.access.token(in: request)))
        }
    }

    /// The tokens that a call of the form shows; where both would stand in one place, the token
    /// there is the refresh token.
    private func tokens(in request: URLRequest, of refresh: TokenPlace?) -> TokenTexts {
        if form.isOneToken, let text = refresh?.token(in: request) {
            return TokenTexts(
                access: form.minted(text), refresh: form.minted(text, as: .refresh))
        }
        let hasBoth = refresh.map { !form.access.coincides(with: $0) } ?? true
        return TokenTexts(
            access: hasBoth ? form.minted(form.access.token(in: request)) : nil,
            refresh: form.minted(refresh?.tokenOrNull(in: request), as: .refresh))
    }

    func tokens(in answer: Answer, to route: Route?) -> TokenTexts? {
        guard let row = route?.row, row < 2 else { return nil }
        return form.tokens(in: answer, by: row == 0 ? form.signInWay : form.delivery)
    }

    var accounts: (any Accounts)? { self }
}

extension TokenAnswers {
    private func logIn(_ request: URLRequest, _ scene: ServiceScene) -> Answer {
        let fields = [form.logIn.userField, "email", "username", "name"]
        let shown = fields.lazy.compactMap { TokenPlace.body($0).token(in: request) }.first
        let password = TokenPlace.body(form.logIn.passwordField).token(in: request)
        guard let shown, let password else {
            guard let client = client(signingIn: request) else {
                return Answer(form.refusal(.missingAccount))
            }
            let access = scene.tokens.issue(.access, to: client, at: scene.now).token
            return deliver(access, nil, scene, isSignIn: true)
        }
        guard let user = TokenAnswers.user(ofEmail: shown), user < userCount,
            password == TokenAnswers.password(user)
        else { return Answer(form.refusal(.wrongPassword)) }
        let access = scene.tokens.issue(.access, to: user, at: scene.now).token
        // Whoever gets none renews by signing in again, and is judged by that.
        let refresh = form.signInWay.refresh.map { _ in
            scene.tokens.issue(.refresh, to: user, at: scene.now).token
        }
        return deliver(access, refresh, scene, isSignIn: true)
    }

    /// The account of a client that signs in for itself: of any that proves who it is, by a secret
    /// or an assertion.
    private func client(signingIn request: URLRequest) -> Int? {
        func field(_ name: String) -> String? { TokenPlace.body(name).token(in: request) }
        guard field("grant_type").map(TokenNames.grantsOfClients.contains) ?? false else {
            return nil
        }
        let named = field("client_secret") ?? field("client_assertion")
        let proof =
            named.flatMap { _ in field("client_id") }
            ?? request.value(forHTTPHeaderField: "Authorization") ?? named ?? field("assertion")
            ?? field("subject_token")
        return proof.map { Int(StableHash(of: $0.utf8).value % UInt64(max(1, userCount))) }
    }

    private func refresh(_ request: URLRequest, _ scene: ServiceScene) -> Answer {
        let shown = tokens(in: request, of: form.refresh.token)
        // Null in its place is none.
        guard form.refresh.token.token(in: request) != nil, let refresh = shown.refresh else {
            return Answer(form.refusal(.missingRefresh))
        }
        if form.refresh.showsAccess, shown.access == nil { return Answer(form.unauthorized) }
        let result = scene.tokens.refresh(
            access: shown.access, refresh: refresh, at: scene.now, isKnown: { $0 < userCount })
        switch result {
        case .success(let tokens):
            let kept = plan.repeatsRefreshToken || form.isOneToken ? refresh : nil
            return deliver(tokens.access, tokens.refresh ?? kept, scene)
        case .failure(.early): return Answer(form.early)
        case .failure(.unverifiable)
        where form.others[.accessAsRefresh] != nil && isGenuine(refresh, as: .access, scene):
            return Answer(form.refusal(.accessAsRefresh))
        case .failure(.unverifiable) where form.others[.unknownRefresh] != nil:
            return Answer(form.refusal(.unknownRefresh))
        case .failure(.unverifiable) where form.refresh.showsAccess:
            return Answer(form.unauthorized)
        case .failure(.outlived): return Answer(form.refusal(.refreshExpired))
        case .failure: return Answer(form.signedOut)
        }
    }

    private func isGenuine(
        _ token: String, as kind: TokenMint.Kind, _ scene: ServiceScene
    ) -> Bool {
        switch scene.tokens.judge(token, as: kind, at: scene.now) {
        case .valid, .expired: true
        case .unverifiable: false
        }
    }

    /// The refusal of a sign-out that must show an access token and shows none of this server; one
    /// that has ended still says which session is over.
    private func unknownUser(signingOut request: URLRequest, _ scene: ServiceScene) -> Answer? {
        guard form.logOut.showsAccess else { return nil }
        guard let shown = form.minted(form.access.token(in: request)) else {
            return Answer(form.refusal(.missing))
        }
        return isGenuine(shown, as: .access, scene) ? nil : Answer(form.unauthorized)
    }

    private func logOut(_ shown: TokenTexts, _ scene: ServiceScene) -> Answer {
        if plan.logOut != .clientForgets, let token = shown.refresh ?? shown.access {
            scene.tokens.endSession(of: token, accessToo: plan.logOut == .endsAllTokens)
        }
        return TokenWriter(plan).forgetting
    }

    private func deliver(
        _ access: String, _ refresh: String?, _ scene: ServiceScene, isSignIn: Bool = false
    ) -> Answer {
        // The user is worked out only where the service's own members need it.
        let isPlain =
            plan.members == nil && form.claims == nil
            && form.delivery.members.isEmpty && form.signInWay.members.isEmpty
        let user = isPlain ? 0 : scene.tokens.user(of: access) ?? 0
        let mint = scene.tokens
        let lifetime =
            isSignIn ? mint.statedLifetimeNanoseconds : mint.statedRefreshedLifetimeNanoseconds
        let wire = { self.wire($0, access: $1, user: user, at: scene.now, mint) }
        let (own, other) = form.travelling(access, refresh)
        return TokenWriter(plan).answer(
            TokenGrant(
                user: user, email: credentials(of: UInt64(user)).email,
                access: wire(own, lifetime),
                refresh: other.map { wire($0, form.isOneToken ? lifetime : nil) },
                expiresAt: scene.epoch.nanosecondsSince1970(
                    at: scene.now.advanced(byNanoseconds: lifetime)) / 1_000_000_000,
                lifetime: lifetime / 1_000_000_000, isSignIn: isSignIn))
    }

    private func seconds(at instant: Instant) -> Int64 {
        epoch.nanosecondsSince1970(at: instant) / 1_000_000_000
    }

    /// A token as it travels: an access token with its stated life, or a refresh token.
    private func wire(
        _ token: String, access life: Int64?, user: Int, at now: Instant, _ tokens: TokenMint
    ) -> String {
        let end = now.advanced(byNanoseconds: life ?? tokens.refreshLifetimeNanoseconds)
        return TokenWriter(plan).wire(
            token, isAccess: life != nil, user: user, issued: seconds(at: now),
            expiry: seconds(at: end))
    }

    private static func password(_ user: Int) -> String { "password-\(user)" }

    private static func user(ofEmail email: String) -> Int? {
        let number = Int(email.dropFirst(4).dropLast(12))
        return number.flatMap { $0 >= 0 && email == "user\($0)@example.com" ? $0 : nil }
    }
}

extension TokenAnswers {
    var statesLifetimes: Bool {
        form.delivery.lifetime != nil || form.signInWay.lifetime != nil
    }
}

extension TokenAnswers: Accounts {
    func credentials(of user: UInt64) -> (email: String, password: String) {
        ("user\(user)@example.com", TokenAnswers.password(Int(user)))
    }

    func signIn(
        _ user: UInt64, accessLifetime: Int64?, at now: Instant, tokens: TokenMint
    ) -> SignedInUser {
        let access = tokens.issue(.access, to: Int(user), at: now, lifetime: accessLifetime)
        let refresh = tokens.issue(.refresh, to: Int(user), at: now)
        let (own, other) = form.travelling(access.token, refresh.token)
        let life = tokens.statedLifetimeNanoseconds
        return SignedInUser(
            userID: "\(user)", email: credentials(of: user).email, nick: "user\(user)",
            accessToken: wire(own, access: life, user: Int(user), at: now, tokens),
            refreshToken: !form.hasRefreshTokens
                ? ""
                : wire(
                    other ?? "", access: form.isOneToken ? life : nil, user: Int(user), at: now,
                    tokens),
            accessExpiry: tokens.statedEnd(of: now) ?? access.expiry)
    }
}

extension Answer {
    init(_ refusal: TokenRefusal) {
        self.init(
            status: refusal.status, headers: Answer.json.adding(refusal.headers),
            body: Body(refusal.body))
    }

    init(_ reply: ServiceReply) {
        let headers = reply.headers.reduce(into: HTTPHeaders()) { headers, field in
            headers.append(name: field.name, value: field.value)
        }
        self.init(
            status: reply.status, headers: headers,
            body: reply.shared?.body ?? Body(reply.body), page: reply.shared?.page)
    }

    /// True for a form's response to a bad token, as its body and status tell.
    func isRefusal(_ refusal: TokenRefusal) -> Bool {
        status == refusal.status && refusal.matches(status: status, body: body.bytes)
    }
}

extension HTTPHeaders {
    /// The header with further fields, in the order of their names.
    func adding(_ fields: [String: String]) -> HTTPHeaders {
        fields.sorted { $0.key < $1.key }.reduce(into: self) { headers, field in
            headers.add(name: field.key, value: field.value)
        }
    }
}
