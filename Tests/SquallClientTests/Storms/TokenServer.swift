import SquallHTTP
import SquallKernel
import Synchronization

/// What goes wrong in a storm; the letters are those of the measurements it is compared with.
enum Scenario: String, Sendable {
    /// A: issued tokens stay valid.
    case coexist
    /// B: a refresh revokes all earlier access tokens.
    case rotate
    /// C: the refresh token has expired.
    case refreshExpired
    /// D: the refresh endpoint itself answers that the access token has expired.
    case refreshRefused
    /// E: no access token is ever accepted.
    case neverAccepted
    /// F: a refresh token works once, and no new one is given out.
    case oneShot
    /// J: the connection is closed during a refresh.
    case connectionLost
}

/// The server that the storms were measured against: 20 ms for data, 50 ms for a refresh.
///
/// It decides when a request arrives and answers when the time is over, one answer after another, a
/// tenth of a millisecond apart. 419 is an expired access token, 418 an expired refresh token, 401
/// a token it has never seen.
final class TokenServer: Sendable {
    static let expiredToken = "expired-A0"
    static let refreshToken = "R0"

    fileprivate struct State {
        var issued = 0
        var revokedBelow = 0
        var usedRefreshToken = false
        var refreshes = 0
        var inFlight = 0
        var inFlightMax = 0
        var data = 0
        var expiredResponses = 0
        /// When the next answer can leave.
        var wireFree = Instant.start
    }

    /// What it has seen so far.
    struct Counts: Hashable, Sendable {
        var refreshes: Int
        var dataRequests: Int
        var expiredResponses: Int
        var refreshesInFlightMax: Int
    }

    private let simulation: Simulation
    private let scenario: Scenario
    private let refreshesMax: Int
    private let state = Mutex(State())

    /// A server that answers 503 after `refreshesMax` refreshes, so that endless storms end.
    init(_ simulation: Simulation, _ scenario: Scenario, refreshesMax: Int) {
        self.simulation = simulation
        self.scenario = scenario
        self.refreshesMax = refreshesMax
    }

    var counts: Counts {
        state.withLock {
            Counts(
                refreshes: $0.refreshes, dataRequests: $0.data,
                expiredResponses: $0.expiredResponses,
                refreshesInFlightMax: $0.inFlightMax)
        }
    }

    func answer(_ request: URLRequest) async throws(TransportError) -> TransportResponse {
        let token = request.headers.value(for: "Authorization") ?? ""
        let isRefresh = request.url.absoluteString.hasSuffix("/refresh")
        let status = isRefresh ? refreshStatus(request) : dataStatus(token)
        let body = isRefresh && status == 200 ? issue() : "{\"id\":1}"
        await sleep(milliseconds: isRefresh ? 50 : 20)
        await waitForWire()
        if isRefresh {
            state.withLock { $0.inFlight -= 1 }
            if scenario == .connectionLost { throw TransportError(.networkConnectionLost) }
        }
        return TransportResponse(
            head: HTTPURLResponse(url: request.url, statusCode: status),
            body: Body(status == 200 ? body : "{\"message\":\"no\"}"))
    }

    private func sleep(milliseconds: Int64) async {
        try? await simulation.sleep(nanoseconds: milliseconds * 1_000_000)
    }

    private func waitForWire() async {
        let now = simulation.now
        let turn = state.withLock { state in
            let turn = max(now, state.wireFree)
            state.wireFree = turn.advanced(byNanoseconds: 100_000)
            return turn
        }
        let wait = turn.nanoseconds - now.nanoseconds
        if wait > 0 { try? await simulation.sleep(nanoseconds: wait) }
    }

    private func dataStatus(_ token: String) -> Int {
        state.withLock { state in
            state.data += 1
            let status = state.status(of: token, scenario)
            if status == 419 { state.expiredResponses += 1 }
            return status
        }
    }

    private func refreshStatus(_ request: URLRequest) -> Int {
        let refreshToken = request.headers.value(for: "Refresh") ?? ""
        return state.withLock { state in
            state.inFlight += 1
            guard state.refreshes < refreshesMax else { return 503 }
            state.refreshes += 1
            state.inFlightMax = max(state.inFlightMax, state.inFlight)
            return state.status(ofRefresh: refreshToken, scenario)
        }
    }

    private func issue() -> String {
        state.withLock { state in
            state.issued += 1
            if scenario == .rotate { state.revokedBelow = state.issued }
            return "{\"accessToken\":\"A\(state.issued)\"}"
        }
    }
}

extension TokenServer.State {
    func status(of token: String, _ scenario: Scenario) -> Int {
        if token == TokenServer.expiredToken || scenario == .neverAccepted { return 419 }
        guard let number = Int(token.dropFirst()) else { return 401 }
        return number < revokedBelow ? 419 : 200
    }

    mutating func status(ofRefresh token: String, _ scenario: Scenario) -> Int {
        switch scenario {
        case .refreshExpired: return 418
        case .refreshRefused: return 419
        case .oneShot:
            defer { usedRefreshToken = true }
            return usedRefreshToken || token != TokenServer.refreshToken ? 418 : 200
        default: return token == TokenServer.refreshToken ? 200 : 418
        }
    }
}

/// The connections of one session to the server: six, first come, first served.
final class ConnectionPool: Transport {
    private struct State {
        var free = 6
        var waiting: [UnsafeContinuation<Void, Never>] = []
    }

    private let server: TokenServer
    private let state = Mutex(State())

    init(_ server: TokenServer) { self.server = server }

    func send(_ request: URLRequest, cause _: RequestCause) async throws(TransportError)
        -> TransportResponse
    {
        await acquire()
        defer { release() }
        return try await server.answer(request)
    }

    private func acquire() async {
        await withUnsafeContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.free == 0 else {
                    state.free -= 1
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    private func release() {
        let next: UnsafeContinuation<Void, Never>? = state.withLock { state in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.free += 1
            return nil
        }
        next?.resume()
    }
}
