import SquallBackend
import SquallHTTP
import SquallKernel
import SquallRaces

/// Writes down the requests to a mounted service.
final class ServerLog: BackendObserver {
    private(set) var entries: [LogEntry] = []
    private var sessions = RedundantRefreshCounter()
    private let name: String
    /// Gets the same events, for an observer of everything.
    private let tap: WireTap?
    private var underWay: [UInt32: (request: URLRequest, sent: Instant)] = [:]
    private var sent: [UInt32: (request: URLRequest, shows: TokenTexts?)] = [:]

    init(name: String, tap: WireTap? = nil) {
        self.name = name
        self.tap = tap
    }

    let keepsServerLog = true
    let followsTokens = true

    func sends(_ request: URLRequest, _ cause: RequestCause, at now: Instant) {
        underWay[cause.request] = (request, now)
    }

    func tokensShown(
        _ cause: RequestCause, _ endpoint: Endpoint, _ request: URLRequest, shows: TokenTexts?
    ) {
        sent[cause.request] = (request, shows)
        sessions.began(cause, endpoint, request, shows)
        tap?.tokensShown(cause, endpoint, request, shows: shows)
    }

    func exchangeEnded(_ exchange: ExchangeRecord) {
        sessions.ended(exchange.cause, exchange.meaning)
        tap?.exchangeEnded(exchange)
    }

    func tokensReceived(_ tokens: TokenTexts, by cause: RequestCause) {
        sessions.received(tokens, cause)
        tap?.tokensReceived(tokens, by: cause)
    }

    func tokenIssued(_ token: IssuedToken) { tap?.tokenIssued(token) }

    func accessTokensExpired(at now: Instant, of isConcerned: (_ user: UInt64) -> Bool) {
        tap?.accessTokensExpired(at: now, of: isConcerned)
    }

    /// The redundant refreshes, after the world's end, by the numbers of their requests.
    var redundantRefreshes: [UInt32] { sessions.allRedundant }

    func ended(_ cause: RequestCause) { underWay[cause.request] = nil }

    func requestReplied(_ record: ServerRecord) {
        tap?.requestReplied(record)
        guard let (request, shown) = sent[record.cause.request] else { return }
        let query = request.url.query.map { "?" + $0 } ?? ""
        entries.append(
            LogEntry(
                service: name, name: record.endpoint.name, method: request.method.rawValue,
                path: request.url.path + query, user: Int(record.cause.user),
                status: record.status, meaning: record.meaning,
                isRefresh: record.endpoint.role == .refresh,
                accessToken: shown?.access, refreshToken: shown?.refresh,
                tokenGeneration: record.tokenGeneration, arrived: record.arrived,
                replied: record.replied,
                order: UInt64(record.replied.nanoseconds) << 16 | UInt64(entries.count & 0xFFFF)))
    }

    var unanswered: [Hang] {
        underWay.sorted { $0.key < $1.key }.map { _, call in
            Hang(
                what: "\(call.request.method) \(call.request.url.path)",
                reason: "its client waits for the answer", since: call.sent)
        }
    }
}
