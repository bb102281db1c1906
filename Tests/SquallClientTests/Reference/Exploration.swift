import SquallHTTP
import SquallKernel
import SquallLab
import Synchronization

@testable import SquallClient

/// One user's plan, played in one schedule against a server that takes a refresh token once.
final class Exploration: Sendable {
    /// What came of it.
    struct Report: Sendable {
        let violations: [String]
        let lines: [String]
        let situations: Set<Ledger.Situation>
        let choices: [UInt16]
    }

    /// Makes the client that is put to the test.
    typealias Client = @Sendable (Exploration) -> any RequestInterceptor

    private struct Server {
        var current: [Character: Int] = ["a": 0, "b": 0]
        /// The oldest generation whose access tokens are accepted.
        var accepted: [Character: Int] = ["a": 1, "b": 0]
        var refreshes = 0
    }

    let plan: Plan
    let simulation: Simulation
    let ledger = Ledger()
    let store = InMemoryTokenStore(
        TokenPair(access: "a0", refresh: "r0"), yields: true)
    private let server = Mutex(Server())
    private let owner = Mutex<Character>("a")

    private init(_ plan: Plan, _ policy: any SchedulingPolicy) {
        self.plan = plan
        simulation = Simulation(policy: policy, recordsChoices: true)
    }

    /// Plays a plan.
    static func run(
        _ plan: Plan, _ policy: any SchedulingPolicy, _ client: @escaping Client
    ) throws -> Report {
        let exploration = Exploration(plan, policy)
        exploration.play(client(exploration))
        let simulation = exploration.simulation
        _ = try simulation.run(until: Instant(nanoseconds: 3_600_000_000_000))
        let stored = Mutex<TokenPair?>(nil)
        simulation.spawn {
            let pair = await exploration.store.read()
            stored.withLock { $0 = pair }
        }
        _ = try simulation.run(until: Instant(nanoseconds: 7_200_000_000_000))
        exploration.ledger.close(calls: plan.calls.count, store: stored.withLock { $0 })
        let ledger = exploration.ledger
        return Report(
            violations: ledger.violations, lines: ledger.lines, situations: ledger.situations,
            choices: simulation.choices)
    }

    /// Sessions without an interceptor, or with the client.
    func session(_ interceptor: (any RequestInterceptor)? = nil) -> Session {
        var configuration = SessionConfiguration()
        // Alamofire forgets requests that are cancelled between two attempts.
        configuration.failsLostRequests = true
        return Session(
            environment: SessionEnvironment(
                transport: ExploredTransport(exploration: self),
                time: simulation, random: HashedRandomness(),
                configuration: configuration),
            interceptor: interceptor)
    }

    private func play(_ client: any RequestInterceptor) {
        let session = session(client)
        for (number, call) in plan.calls.enumerated() {
            simulation.spawn { [self] in await make(call, number, session) }
        }
        if let expiry = plan.expiry { simulation.spawn { [self] in await expire(at: expiry) } }
        if let moment = plan.signOut, let tokens = client as? TokenInterceptor {
            simulation.spawn { [self] in await leave(tokens, at: moment) }
        }
    }

    private func make(_ call: Plan.Call, _ number: Int, _ session: Session) async {
        await sleep(call.start)
        let request = session.request(
            URLRequest(url: WebURL(origin: "http://explored", path: "/data/\(number)"))
        ).validate()
        let task = Task { await request.serializingResponse().response.outcome }
        if let delay = call.cancelledAfter {
            Task {
                await sleep(delay)
                if ledger.isRefreshing { ledger.reach(.cancelledInRefresh) }
                task.cancel()
            }
        }
        ledger.end(number, await task.value)
    }

    private func expire(at moment: Int64) async {
        await sleep(moment)
        let owner = owner.withLock { $0 }
        let wasAccepted = server.withLock { server in
            defer { server.accepted[owner] = server.current[owner, default: 0] + 1 }
            return server.current[owner, default: 0] >= server.accepted[owner, default: 0]
        }
        if wasAccepted { ledger.reach(.secondExpiry) }
    }

    private func leave(_ tokens: TokenInterceptor, at moment: Int64) async {
        await sleep(moment)
        ledger.leave(next: plan.isFollowedBySignIn ? "b" : nil)
        guard plan.isFollowedBySignIn else { return tokens.signOut() }
        owner.withLock { $0 = "b" }
        tokens.signIn(TokenPair(access: "b0", refresh: "s0"))
    }

    private func sleep(_ nanoseconds: Int64) async {
        try? await simulation.sleep(nanoseconds: nanoseconds)
    }
}

/// The server.
extension Exploration {
    /// The generation of tokens that were given out last to whoever is signed in.
    var currentGeneration: Int {
        let owner = owner.withLock { $0 }
        return server.withLock { $0.current[owner, default: 0] }
    }

    /// Answers a data request after its latency; decides on arrival.
    fileprivate func answerData(_ token: String, _ request: UInt32, _ call: Int) async -> Int {
        ledger.send(token, request: request)
        let owner = token.first ?? "a"
        let isAccepted = server.withLock { server in
            (Int(token.dropFirst()) ?? -1) >= server.accepted[owner, default: 0]
        }
        if !isAccepted { ledger.refuse(token) }
        await sleep(plan.calls[call].latency)
        if !isAccepted { ledger.refusalArrives(token) }
        return isAccepted ? 200 : 419
    }

    /// Answers a refresh with a status and the new generation.
    fileprivate func answerRefresh(
        _ refreshToken: String
    ) async throws(TransportError) -> (status: Int, body: String) {
        let owner: Character = refreshToken.first == "s" ? "b" : "a"
        let access = "\(owner)\(refreshToken.dropFirst())"
        let (number, current) = server.withLock { server in
            defer { server.refreshes += 1 }
            return (server.refreshes, server.current[owner, default: 0])
        }
        ledger.refreshBegins(access, current: "\(owner)\(current)")
        let fate = plan.fates[min(number, 7)]
        if fate == .success { server.withLock { $0.current[owner] = current + 1 } }
        await sleep(plan.refreshLatencies[min(number, 7)])
        ledger.refreshEnds(access, fate)
        switch fate {
        case .lost: throw TransportError(.networkConnectionLost)
        case .unavailable: return (503, "{}")
        case .rejected: return (418, "{}")
        case .success:
            let next = "\(current + 1)"
            let refresh = (owner == "b" ? "s" : "r") + next
            return (
                200, "{\"accessToken\":\"\(owner)\(next)\",\"refreshToken\":\"\(refresh)\"}"
            )
        }
    }
}

/// The way to an exploration's server.
private struct ExploredTransport: Transport {
    let exploration: Exploration

    func send(_ request: URLRequest, cause: RequestCause) async throws(TransportError)
        -> TransportResponse
    {
        let path = request.url.absoluteString
        var answer = (status: 200, body: "{}")
        if let refreshToken = request.headers.value(for: "Refresh") {
            answer = try await exploration.answerRefresh(refreshToken)
        } else {
            answer.status = await exploration.answerData(
                request.headers.value(for: "Authorization") ?? "", cause.request,
                path.last?.wholeNumberValue ?? 0)
        }
        return TransportResponse(
            head: HTTPURLResponse(url: request.url, statusCode: answer.status),
            body: Body(answer.body))
    }
}

/// A store that tells a ledger what is written.
struct LedgerStore: TokenStore {
    let store: InMemoryTokenStore
    let ledger: Ledger

    func read() async -> TokenPair? { await store.read() }

    func write(_ pair: TokenPair) async {
        await store.write(pair)
        ledger.stored(pair)
    }

    func erase() async { await store.erase() }
}
