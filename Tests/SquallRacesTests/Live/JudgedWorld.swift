import SquallBackend
import SquallHTTP
import SquallKernel
import SquallServices
import TestSupport

@testable import SquallRaces

/// A backend that is used from outside, without sockets, and its judge.
final class JudgedWorld: @unchecked Sendable {
    // Safe because everything happens on the thread that runs its world.

    let simulation = Simulation()
    let judge: LiveJudge
    let backend: Backend
    let tap: LiveTap
    private let service: TokenService
    /// The contract's form without the access token in a refresh.
    static var bareForm: TokenForm {
        var form = TokenForm.status419
        form.refresh.showsAccess = false
        return form
    }

    static let second: Int64 = 1_000_000_000

    init(
        seed: UInt64 = 1, _ form: TokenForm = .status419,
        refresh: RefreshSemantics = .coexist, accessLifetime: Duration = .seconds(300),
        routes: [TokenRoute] = [.get("/posts"), .get("/profile"), .post("/orders", status: 201)],
        _ change: (inout BackendPlan) -> Void = { _ in }
    ) {
        var service = TokenService(
            form, accessLifetime: accessLifetime, refresh: refresh, routes: routes)
        service.logOut = .clientForgets
        service.failureHeaders = [:]
        self.service = service
        judge = LiveJudge(simulation)
        judge.isSignOut = { $1.url.path == "/v1/users/logout" }
        tap = LiveTap(simulation, judge)
        var plan = BackendPlan()
        (plan.tokens, plan.userCount) = (service.tokens, 1)
        plan.network.up = .logNormal(median: 20_000_000, sigma: 0.6, maximum: 900_000_000)
        plan.network.down = plan.network.up
        plan.network.connectionsPerHost = 65_535
        change(&plan)
        let root = RandomStream(seed: seed)
        backend = Backend(
            simulation: simulation, plan: plan,
            services: [service.service(randomness: root, userCount: 8)], randomness: root,
            observer: tap)
        judge.attach(to: backend)
    }

    /// Lets something happen, until nothing is left to do.
    func play(_ body: @escaping @Sendable (JudgedWorld) async -> Void) throws {
        simulation.spawn { await body(self) }
        _ = try simulation.run(until: Instant(nanoseconds: .max / 2))
    }

    /// What the judge finds where a client signs in and, a second later, something happens.
    func findings(
        _ slip: LiveClient.Slip = .none, calls: Bool = true,
        _ body: @escaping @Sendable (JudgedWorld, LiveClient) async -> Void
    ) throws -> [String] {
        let client = LiveClient(self, slip)
        try play { world in
            await client.signIn()
            if calls { await client.call() }
            await world.pause(seconds: 1)
            await body(world, client)
        }
        return judge.findings.map { "\($0.promise.id) \($0.text)" }
    }

    func pause(seconds: Double) async {
        try? await simulation.sleep(nanoseconds: Int64(seconds * 1e9))
    }

    /// The answer to a request; `nil` when none came.
    func send(
        _ method: HTTPMethod = .get, _ path: String, access: String? = nil,
        refresh: String? = nil, body: String = "", connection: UInt64? = nil,
        began: Int64? = nil, fields: [String: String] = [:]
    ) async -> (status: Int, text: String)? {
        let parts = path.split(separator: "?", maxSplits: 1).map(String.init)
        var url = WebURL(origin: service.origin, path: parts[0])
        url.query = parts.dropFirst().first
        var request = URLRequest(url: url, method: method, body: Body(body))
        if let access { request.headers.add(name: "Authorization", value: access) }
        if let refresh { request.headers.add(name: "Refresh", value: refresh) }
        for (name, value) in fields { request.headers.add(name: name, value: value) }
        let whole = request
        return await withCheckedContinuation { continuation in
            judge.exchange(whole, connection: connection, began: began) { result in
                let answer = try? result.get()
                continuation.resume(
                    returning: answer.map {
                        ($0.head.statusCode, String(decoding: $0.body.bytes, as: UTF8.self))
                    })
            }
        }
    }

    /// Two refreshes at once, of an expired token; that which came first is kept.
    func storm(_ client: LiveClient) async -> String {
        backend.expireAccessTokens()
        let second = LiveClient(self, connection: 2)
        (second.refresh, second.refreshShowsAccess) = (client.refresh, false)
        _ = await send(.get, "/posts", access: client.access, connection: 1)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await client.load() }
            group.addTask {
                await self.pause(seconds: 0.005)
                await second.load()
            }
        }
        return client.access
    }

    /// Lets the responses to what happens get lost, and gives up waiting for them.
    func losing(_ body: @escaping @Sendable () async -> Void) async {
        let fault = backend.beginFault(.answerDropped(.connectionLost))
        await body()
        _ = backend.endFault(fault)
    }

    /// What was made of a promise.
    func outcome(_ id: String) -> LiveVerdict.Outcome? {
        judge.verdicts.first { $0.promise.id == id }?.outcome
    }

    /// True if it could not be told whether a promise was broken.
    func isNotJudged(_ id: String) -> Bool {
        if case .notJudged = outcome(id) { true } else { false }
    }

    /// What was found, each as `S1 ×12`.
    var found: [String] { judge.findings.map { "\($0.promise.id) ×\($0.count)" }.sorted() }
}

/// The judge, and a history of the same events for the batch invariants.
final class LiveTap: BackendObserver {
    let judge: LiveJudge
    let wire: WireTap

    init(_ simulation: Simulation, _ judge: LiveJudge) {
        self.judge = judge
        wire = WireTap(recorder: HistoryRecorder(simulation), users: [])
        wire.recorder.describe { $0.isRotating = true }
    }

    var followsTokens: Bool { true }
    var keepsServerLog: Bool { true }

    func tracesTokens(
        of cause: RequestCause, _ endpoint: Endpoint, _ meaning: AnswerMeaning
    ) -> Bool { judge.tracesTokens(of: cause, endpoint, meaning) }

    func attemptTaken(_ cause: RequestCause, _ endpoint: Endpoint) {
        note(.callBegan, cause)
    }

    func tokensShown(
        _ cause: RequestCause, _ endpoint: Endpoint, _ request: URLRequest, shows: TokenTexts?
    ) {
        judge.tokensShown(cause, endpoint, request, shows: shows)
        wire.tokensShown(cause, endpoint, request, shows: shows)
    }

    func tokensReceived(_ tokens: TokenTexts, by cause: RequestCause) {
        wire.tokensReceived(tokens, by: cause)
        var event = wire.recorder.event(.stored, user: cause.user)
        event.access = tokens.access.flatMap(wire.recorder.token)
        event.refresh = tokens.refresh.flatMap(wire.recorder.token)
        wire.recorder.note(event)
    }

    func exchangeEnded(_ exchange: consuming ExchangeRecord) {
        let copy = exchange
        judge.exchangeEnded(copy)
        wire.exchangeEnded(exchange)
        note(.callEnded, exchange.cause)
    }

    func requestReplied(_ record: ServerRecord) {
        judge.requestReplied(record)
        wire.requestReplied(record)
    }

    func tokenIssued(_ token: IssuedToken) {
        judge.tokenIssued(token)
        wire.tokenIssued(token)
    }

    private func note(_ kind: RaceEvent.Kind, _ cause: RequestCause) {
        var event = wire.recorder.event(kind, user: cause.user)
        event.request = Int(cause.request)
        wire.recorder.note(event)
    }

    /// How often an invariant is broken in the history.
    func violations(_ invariant: RaceInvariant) -> [Violation] {
        wire.recorder.close(.still)
        return invariant.violations(in: wire.recorder.history)
    }
}
