import SquallBackend
import SquallFormat
import SquallHTTP
import SquallKernel
import SquallSockets

/// A real server as the backend and the judge see it: which calls deal with tokens, which tokens
/// travel, and what responses mean.
///
/// Work on its requests is done outside the simulation, by whatever ``handOut`` is. A request with
/// an access token that is to be expired is answered here, without the server.
final class UpstreamService: Service {
    let name = "upstream"
    let origins: [String]
    /// Calls that deal with tokens; all others are named after verb and path.
    var endpoints: [EndpointDescription] { Self.calls }
    static let calls = [
        EndpointDescription("signIn", .post, "/", role: .signIn),
        EndpointDescription("refresh", .post, "/refresh", role: .refresh),
    ]
    private(set) var rules: UpstreamRules
    private(set) var tokens: UpstreamTokens
    private(set) var seen = SeenTokens()
    /// The backend that it stands behind, and its time.
    private weak var backend: Backend?
    private let simulation: Simulation
    /// Sends a request to the server, and returns whether its client is still there; its response
    /// comes by ``answer(_:with:)`` or ``fail(_:status:_:)``.
    var handOut: (_ exchange: UInt64, URLRequest, ServiceScene) -> Bool = { _, _, _ in false }
    /// Called with each response to a request that was handed out, and with each failure.
    var told: (LiveEntry.Event) -> Void = { _ in }
    /// The requests that were handed out.
    private var handedOut: [UInt64: HandedOut] = [:]

    private struct HandedOut {
        let request: URLRequest
        let user: UInt64
        let role: Endpoint.Role
        let shown: TokenTexts
    }

    /// The meaning of the response that is given to the backend at this moment.
    private var meaning: (status: Int, AnswerMeaning)?

    init(_ plan: UpstreamPlan, in simulation: Simulation) {
        self.simulation = simulation
        origins = [plan.address.origin]
        (rules, tokens) = (UpstreamRules(plan), UpstreamTokens(plan))
    }

    func attach(to backend: Backend) { self.backend = backend }

    var workplace: Workplace { .outside { [unowned self] in take($0, $1, role($2), $3) } }

    func route(_ request: URLRequest, by router: Router) -> Route? {
        switch rules.role(of: request) {
        case .signIn: Route(row: 0)
        case .refresh: Route(row: 1)
        case .ordinary: nil
        }
    }

    func role(_ route: Route?) -> Endpoint.Role {
        route.map { Self.calls[$0.row].role } ?? .ordinary
    }

    func tokens(in request: URLRequest, to route: Route?) -> TokenTexts? {
        shown(by: request, role(route))
    }

    /// The tokens that a request shows, where calls are known to show them or here for the first
    /// time.
    private func shown(by request: URLRequest, _ role: Endpoint.Role) -> TokenTexts {
        let shown = rules.shown(by: request, role: role)
        guard role == .ordinary, shown.access == nil else { return shown }
        rules.learnPlace(in: request) { tokens.isKnown(TokenNumber(text: $0)) }
        return rules.shown(by: request, role: role)
    }

    /// Called only where faults and limits answer in its place.
    func answer(_ request: URLRequest, to route: Route?, in scene: ServiceScene) -> Answer {
        answer(to: .failure(status: 502))
    }

    func answer(to error: ServiceError) -> Answer {
        let status = error.usualStatus
        let answer = Answer(status: status, body: Body(#"{"error":"fault of squall serve"}"#))
        return answer.retryAfter(seconds: status == 429 || status == 503 ? 1 : 0)
    }

    func meaning(of answer: Answer, to route: Route?) -> AnswerMeaning {
        if let meaning, meaning.status == answer.status { return meaning.1 }
        // One that a fault made, as an app understands it.
        return tokens.meansExpired(answer) ? .expired : AnswerMeaning(classOf: answer.status)
    }

    /// Answers every access token known so far as expired from now on.
    func expire() { tokens.expire(at: simulation.now.nanoseconds) }

    /// Refuses every refresh token known so far from now on.
    func revokeRefreshTokens() { tokens.revokeRefreshTokens(at: simulation.now.nanoseconds) }

    /// The status of the expired response.
    var expiredStatus: Int { tokens.response.status }

    func isAboutTokens(_ exchange: UInt64) -> Bool {
        handedOut[exchange].map { $0.role != .ordinary } ?? false
    }

    private func take(
        _ exchange: UInt64, _ request: URLRequest, _ role: Endpoint.Role, _ scene: ServiceScene
    ) {
        let shown = shown(by: request, role)
        if role == .ordinary, let access = shown.access,
            tokens.hasExpired(TokenNumber(text: access), at: scene.now.nanoseconds)
        {
            return give(tokens.response, meaning: .expired, to: exchange)
        }
        if role == .refresh, let refresh = shown.refresh,
            tokens.refuses(refresh: TokenNumber(text: refresh))
        {
            return give(UpstreamTokens.refusal, meaning: .signedOut, to: exchange)
        }
        handedOut[exchange] = HandedOut(
            request: request, user: scene.user, role: role, shown: shown)
        if !handOut(exchange, request, scene) { lose(exchange, status: 499, Self.clientHasGone) }
    }

    static let clientHasGone = "the client has gone"
}

extension UpstreamService {
    /// Takes the server's response to a request, as far as it is here.
    func answer(_ exchange: UInt64, with answer: Answer) {
        told(.answered(exchange, answer))
        guard let call = handedOut.removeValue(forKey: exchange) else { return }
        var role = call.role
        let shown = call.shown
        let status = answer.status
        if role == .ordinary, shown.access != nil, isExpiry(answer, to: call.request) {
            tokens.learn(answer)
            return give(answer, meaning: .expired, to: exchange)
        }
        guard (200..<400).contains(status) else {
            return give(answer, meaning: meaning(answer, role), to: exchange)
        }
        let brought = BroughtTokens(answer.headers, answer.body.bytes, role: role).all
        if role == .ordinary, brought.contains(where: { $0.kind == .access }) {
            role = rules.role(bringingTokenTo: call.request, showsAccess: shown.access != nil)
            rules.learn(call.request, is: role)
        }
        seen.note(call.request, role, shown, answer, by: rules)
        if role == .refresh, let refresh = shown.refresh,
            let new = brought.last(where: { $0.kind == .refresh })
        {
            tokens.exchanged(TokenNumber(text: refresh), for: TokenNumber(text: new.text))
        }
        let now = simulation.now
        let owner = brought.lazy.compactMap { JWT.subject(of: $0.text) }.first
            .map { StableHash(of: $0.utf8).value }
        let issued = brought.map { token in
            if let cookie = token.cookie { rules.learn(cookie: cookie, is: token.kind) }
            switch token.kind {
            case .access:
                rules.learn(access: token.text)
                tokens.brought(TokenNumber(text: token.text), at: now.nanoseconds)
            case .refresh:
                rules.learn(refresh: token.text)
                tokens.brought(refresh: TokenNumber(text: token.text), at: now.nanoseconds)
            }
            var issued = IssuedToken(
                text: token.text, kind: token.kind, user: call.user, account: owner ?? call.user,
                generation: 0,
                expiry: token.lifeSeconds.map {
                    now.advanced(byNanoseconds: $0 * 1_000_000_000)
                } ?? Instant(nanoseconds: .max))
            issued.role = role == call.role ? nil : role
            return issued
        }
        give(answer, meaning: .success, to: exchange, brings: issued)
    }

    /// Notes that there will be no response of the server.
    func fail(_ exchange: UInt64, status: Int, _ text: String) {
        told(.unanswered(exchange, status: status, text))
        lose(exchange, status: status, text)
    }

    private func lose(_ exchange: UInt64, status: Int, _ text: String) {
        guard handedOut.removeValue(forKey: exchange) != nil else { return }
        let body = Body(text + "\n")
        give(
            Answer(
                status: status, headers: ["Content-Type": "text/plain; charset=utf-8"], body: body),
            meaning: .failure, to: exchange)
    }

    /// True for a response that says that the call's token has expired; no page that a person
    /// loads, nor a sign-out, is refused by being led to the sign-in.
    private func isExpiry(_ answer: Answer, to request: URLRequest) -> Bool {
        guard tokens.meansExpired(answer) else { return false }
        guard (300..<400).contains(answer.status) else { return true }
        return request.value(forHTTPHeaderField: "Sec-Fetch-Mode") != "navigate"
            && !rules.isSignOut(request)
    }

    /// What a response that is no success says to a client.
    private func meaning(_ answer: Answer, _ role: Endpoint.Role) -> AnswerMeaning {
        guard role == .refresh, [400, 401, 403, 418].contains(answer.status) else {
            return AnswerMeaning(classOf: answer.status)
        }
        let error = MessageFields(answer.body.bytes, contentType: nil)["error"]
        return error.map(TokenNames.errorsOfRequests.contains) == true ? .refused : .signedOut
    }

    private func give(
        _ answer: Answer, meaning: AnswerMeaning, to exchange: UInt64,
        brings: [IssuedToken] = []
    ) {
        self.meaning = (answer.status, meaning)
        defer { self.meaning = nil }
        backend?.answer(exchange, with: answer, brings: brings)
    }
}

/// A user's request of which a service is asked.
struct ExchangeKey: Hashable {
    let user, exchange: UInt64

    init(_ scene: ServiceScene) { (user, exchange) = (scene.user, scene.exchange) }

    /// The key of a request's first arrival, as ``ServiceScene/exchange`` counts them.
    init(_ cause: RequestCause) {
        (user, exchange) = (cause.user, UInt64(cause.request) << 16)
    }
}
