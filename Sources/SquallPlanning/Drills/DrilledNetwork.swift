import SquallBackend
import SquallHTTP
import SquallKernel
import SquallRaces
import Synchronization

/// The network of a drilled phone: a killed start of the app receives nothing any more.
final class DrilledNetwork: Transport {
    private let inner: any Transport
    private let state = Mutex(State())
    /// Request numbers of one start of the app.
    private static let lifeSpan: UInt32 = 10_000

    private struct State {
        var gone: Set<UInt64> = []
        var parked: [UnsafeContinuation<Void, Never>] = []
        var isClosed = false
    }

    init(_ inner: any Transport) { self.inner = inner }

    /// Cuts off a start of the app: its requests are lost, and no answer reaches it.
    func disconnect(_ life: UInt64) { state.withLock { _ = $0.gone.insert(life) } }

    /// Ends the world: parked requests resume, and further sends fail.
    func close() {
        let parked = state.withLock { state in
            state.isClosed = true
            defer { state.parked = [] }
            return state.parked
        }
        for continuation in parked { continuation.resume() }
    }

    /// Waits until the world has ended.
    func park() async {
        await withUnsafeContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.isClosed { state.parked.append(continuation) }
                return state.isClosed
            }
            if isOver { continuation.resume() }
        }
    }

    func send(
        _ request: URLRequest, cause: RequestCause
    ) async throws(TransportError) -> TransportResponse {
        try await check(cause.user)
        var numbered = cause
        numbered.request += UInt32(cause.user) * Self.lifeSpan
        numbered.refreshFor = cause.refreshFor.map { $0 + UInt32(cause.user) * Self.lifeSpan }
        let result: Result<TransportResponse, TransportError>
        do {
            result = .success(try await inner.send(request, cause: numbered))
        } catch { result = .failure(error) }
        try await check(cause.user)
        return try result.get()
    }

    private func check(_ life: UInt64) async throws(TransportError) {
        let (isGone, isClosed) = state.withLock { ($0.gone.contains(life), $0.isClosed) }
        if isGone, !isClosed { await park() }
        if isGone || isClosed { throw TransportError(.notConnectedToInternet) }
    }
}

/// Observes the backend of a drill: records the history and finds redundant refreshes.
final class DrillLedger: BackendObserver {
    private let tap: WireTap
    private var sessions = FarSessions()
    private var shown: [UInt32: TokenTexts] = [:]

    init(_ tap: WireTap) { self.tap = tap }

    let keepsServerLog = true
    let followsTokens = true

    /// The redundant refreshes, by request number; for use after the world has ended.
    var redundantRefreshes: [UInt32] {
        var all = sessions
        all.close()
        return all.redundant
    }

    func exchangeBegan(
        _ cause: RequestCause, _ endpoint: Endpoint, _ request: URLRequest, shows: TokenTexts?
    ) {
        shown[cause.request] = shows
        sessions.began(cause, endpoint, request, shows)
        tap.exchangeBegan(cause, endpoint, request, shows: shows)
    }

    func exchangeEnded(_ exchange: ExchangeRecord) {
        sessions.ended(exchange.cause, exchange.meaning)
        tap.exchangeEnded(exchange)
    }

    func tokensReceived(_ tokens: TokenTexts, by cause: RequestCause) {
        sessions.received(tokens, cause, shown: shown[cause.request])
        tap.tokensReceived(tokens, by: cause)
    }

    func requestReplied(_ record: ServerRecord) { tap.requestReplied(record) }
    func tokenIssued(_ token: IssuedToken) { tap.tokenIssued(token) }

    func accessTokensExpired(at now: Instant, of isConcerned: (_ user: UInt64) -> Bool) {
        tap.accessTokensExpired(at: now, of: isConcerned)
    }
}
