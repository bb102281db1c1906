import SquallBackend
import SquallHTTP
import SquallKernel

/// Answers the requests to a ``TokenService``.
final class TokenAnswers: Service, PacedService {
    let name: String
    let origins: [String]
    let endpoints: [EndpointDescription]
    private let plan: TokenService
    private var form: TokenForm { plan.form }
    private var routes: [TokenRoute] { plan.routes }
    private let chance: RandomStream
    private let userCount: Int
    /// The rows of routes that replace a call of the form, by that call's row.
    private let replaced: [Int: Int]
    private var paces: [PaceKey: [(gap: Duration, count: Int)]] = [:]

    private struct PaceKey: Hashable {
        let user, exchange: UInt64
    }

    init(_ plan: TokenService, randomness: RandomStream, userCount: Int) {
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
        return Route(row: form.refresh.token.token(in: request) == nil ? 0 : 1)
    }

    func answer(_ request: URLRequest, to route: Route?, in scene: ServiceScene) -> Answer {
        guard let route else { return Answer(status: 404, body: Body(#"{"error":"not found"}"#)) }
        switch route.row {
        case 0: return logIn(request, scene)
        case 1: return refresh(tokens(in: request, of: form.refresh.token), scene)
        case 2: return logOut(tokens(in: request, of: form.logOut.token), scene)
        default: return answer(request, to: routes[route.row - 3], route, scene)
        }
    }

    private func answer(
        _ request: URLRequest, to call: TokenRoute, _ route: Route, _ scene: ServiceScene
    ) -> Answer {
        var user: Int?
        let shown = form.access.token(in: request) ?? ""
        switch scene.tokens.judge(shown, as: .access, at: scene.now) {
        case .valid(let number): user = number
        case .expired where call.needsToken: return Answer(form.expired)
        case .unverifiable where call.needsToken: return Answer(form.unauthorized)
        case .expired, .unverifiable: break
        }
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
            Answer(
                status: status, headers: Answer.json.adding(plan.failureHeaders), body: Body("{}"))
        }
    }

    func meaning(of answer: Answer) -> AnswerMeaning {
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
        default: TokenTexts(access: form.access.token(in: request))
        }
    }

    /// The tokens that a call of the form shows; where both would stand in one place, the token
    /// there is the refresh token.
    private func tokens(in request: URLRequest, of refresh: TokenPlace?) -> TokenTexts {
        let hasBoth = refresh.map { !form.access.coincides(with: $0) } ?? true
        return TokenTexts(
            access: hasBoth ? form.access.token(in: request) : nil,
            refresh: refresh?.token(in: request))
    }

    func tokens(in answer: Answer, to route: Route?) -> TokenTexts? {
        guard let row = route?.row, row < 2 else { return nil }
        switch (row == 0 ? plan.signInDelivery : nil) ?? form.delivery {
        case .json(let access, let refresh, _):
            return TokenTexts(members: (access, refresh), of: answer.body)
        case .cookies(let access, let refresh):
            let set = answer.headers.values(for: "Set-Cookie").joined(separator: "; ")
            let texts = TokenTexts(
                access: FormFields.cookie(access, in: set),
                refresh: FormFields.cookie(refresh, in: set))
            return texts == TokenTexts() ? nil : texts
        }
    }

    var accounts: (any Accounts)? { self }
}

/// Signing in and refreshing.
extension TokenAnswers {
    private func logIn(_ request: URLRequest, _ scene: ServiceScene) -> Answer {
        let fields = [form.logIn.userField, "email", "username", "name"]
        let shown = fields.lazy.compactMap { TokenPlace.body($0).token(in: request) }.first
        let user = shown.flatMap(TokenAnswers.user)
        guard let user, user < userCount,
            TokenPlace.body(form.logIn.passwordField).token(in: request)
                == TokenAnswers.password(user)
        else { return Answer(form.signedOut) }
        let access = scene.tokens.issue(.access, to: user, at: scene.now).token
        let refresh = scene.tokens.issue(.refresh, to: user, at: scene.now).token
        return deliver(access, refresh, scene, isSignIn: true)
    }

    private func refresh(_ shown: TokenTexts, _ scene: ServiceScene) -> Answer {
        guard let refresh = shown.refresh else { return Answer(form.signedOut) }
        if form.refresh.showsAccess, shown.access == nil { return Answer(form.unauthorized) }
        let result = scene.tokens.refresh(
            access: shown.access, refresh: refresh, at: scene.now, isKnown: { $0 < userCount })
        switch result {
        case .success(let tokens):
            let kept = plan.repeatsRefreshToken ? refresh : nil
            return deliver(tokens.access, tokens.refresh ?? kept, scene)
        case .failure(.early): return Answer(form.early)
        case .failure(.unverifiable) where form.refresh.showsAccess:
            return Answer(form.unauthorized)
        case .failure: return Answer(form.signedOut)
        }
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
        let user = plan.members == nil ? 0 : scene.tokens.user(of: access) ?? 0
        let lifetime = scene.tokens.statedLifetimeNanoseconds
        let expiry = scene.epoch.nanosecondsSince1970(
            at: scene.now.advanced(byNanoseconds: lifetime))
        return TokenWriter(plan).answer(
            TokenGrant(
                user: user, email: credentials(of: UInt64(user)).email, access: access,
                refresh: refresh, expiresAt: expiry / 1_000_000_000,
                lifetime: lifetime / 1_000_000_000, isSignIn: isSignIn))
    }

    private static func password(_ user: Int) -> String { "password-\(user)" }

    private static func user(ofEmail email: String) -> Int? {
        guard email.hasPrefix("user"), email.hasSuffix("@example.com") else { return nil }
        return Int(email.dropFirst(4).dropLast(12))
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
        return SignedInUser(
            userID: "\(user)", email: credentials(of: user).email, nick: "user\(user)",
            accessToken: access.token, refreshToken: refresh.token,
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

    /// Whether it is a form's answer to a bad token.
    func isRefusal(_ refusal: TokenRefusal) -> Bool {
        status == refusal.status && refusal.matches(status: status, body: body.bytes)
    }
}

extension HTTPHeaders {
    /// The same with more fields, in the order of their names.
    func adding(_ fields: [String: String]) -> HTTPHeaders {
        fields.sorted { $0.key < $1.key }.reduce(into: self) { headers, field in
            headers.add(name: field.key, value: field.value)
        }
    }
}
