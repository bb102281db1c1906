import SquallHTTP
import SquallKernel
import SquallLab
import Synchronization

@testable import SquallClient

/// A client's way of refreshing, as it was measured.
protocol StormVariant: Sendable {
    init(_ world: StormWorld)
    /// Sends one request and waits for what comes of it: a status or an error's label.
    func send() async -> String
}

/// What a variant's program stores, and what it was told to do with it.
final class TokenStorage: Sendable {
    private struct State {
        var access: String
        var refresh: String
        var wipes = 0
        var reports = 0
    }

    private let state: Mutex<State>

    init(access: String = TokenServer.expiredToken, refresh: String = TokenServer.refreshToken) {
        state = Mutex(State(access: access, refresh: refresh))
    }

    var access: String { state.withLock { $0.access } }
    var refresh: String { state.withLock { $0.refresh } }
    var wipes: Int { state.withLock { $0.wipes } }
    /// How often the user was told that the session has expired.
    var reports: Int { state.withLock { $0.reports } }

    func store(_ refreshed: StormRefresh) {
        state.withLock { state in
            state.access = refreshed.accessToken
            state.refresh = refreshed.refreshToken ?? state.refresh
        }
    }

    func report() { state.withLock { $0.reports += 1 } }

    func wipe() {
        state.withLock { state in
            state.access = ""
            state.refresh = ""
            state.wipes += 1
        }
    }
}

/// Where a storm takes place: the server, the clock and what is counted.
final class StormWorld: Sendable {
    /// What came of a storm.
    struct Outcome: Sendable {
        let server: TokenServer.Counts
        let retries: Int
        let consults: Int
        let wipes: Int
        let reports: Int
        /// What came of the requests that ended, in that order.
        let ended: [String]
        let hung: Int
        /// What the requests that can be told to hang wait for.
        let parked: [String]

        var refreshes: Int { server.refreshes }
        var succeeded: Int { ended.count { $0 == "200" } }
        var failed: Int { ended.count - succeeded }
    }

    let simulation = Simulation()
    let server: TokenServer
    let storage = TokenStorage()
    /// How long Scrolly's retries wait, in seconds.
    let delay: Double
    private let log = EventLog()
    private let consults = Atomic<Int>(0)
    private let environments = Notes<SessionEnvironment>()

    init(
        _ scenario: Scenario = .coexist, refreshesMax: Int = 400, delay: Double = 1
    ) {
        server = TokenServer(simulation, scenario, refreshesMax: refreshesMax)
        self.delay = delay
    }

    /// A session with connections of its own.
    func session(_ interceptor: (any RequestInterceptor)? = nil) -> Session {
        let environment = SessionEnvironment(
            transport: ConnectionPool(server), time: simulation,
            random: HashedRandomness(), eventMonitors: [log])
        environments.append(environment)
        return Session(environment: environment, interceptor: interceptor)
    }

    /// Counts a question to a retrier.
    func noteConsult() { consults.add(1, ordering: .relaxed) }

    /// Sends so many requests at once and lets a number of virtual seconds pass.
    func storm<Variant: StormVariant>(
        _: Variant.Type, _ count: Int, seconds: Double = 60
    ) throws -> Outcome {
        let ended = Notes<String>()
        simulation.spawn {
            let variant = Variant(self)
            for _ in 0..<count { Task { ended.append(await variant.send()) } }
        }
        _ = try simulation.run(until: Instant(nanoseconds: Int64(seconds * 1e9)))
        let parked = environments.values.flatMap(\.parkedRequests).map { $0.lost.place.rawValue }
        let outcome = Outcome(
            server: server.counts, retries: log.lines("retry").count,
            consults: consults.load(ordering: .relaxed), wipes: storage.wipes,
            reports: storage.reports, ended: ended.values, hung: count - ended.values.count,
            parked: parked)
        try release()
        return outcome
    }

    /// Ends what is parked, so that nothing of the world stays behind.
    private func release() throws {
        simulation.spawn { [environments] in
            for environment in environments.values { environment.releaseParkedRequests() }
        }
        _ = try simulation.run(until: simulation.now.advanced(byNanoseconds: 60_000_000_000))
    }
}

extension URLRequest {
    static let stormData = URLRequest(url: WebURL(origin: "http://storm", path: "/v1/data"))
    static let stormRefresh = URLRequest(
        url: WebURL(origin: "http://storm", path: "/v1/auth/refresh"))

    func carrying(access: String, refresh: String? = nil) -> URLRequest {
        var request = self
        request.headers.update(name: "Authorization", value: access)
        if let refresh { request.headers.update(name: "Refresh", value: refresh) }
        return request
    }
}

struct StormItem: Decodable, Sendable { let id: Int }

struct StormRefresh: Decodable, Sendable {
    let accessToken: String
    /// Only from servers that give out a new one.
    let refreshToken: String?
}

extension DataResponse {
    /// A status, or an error's label.
    var outcome: String { error?.label ?? "\(response?.statusCode ?? 0)" }
}
