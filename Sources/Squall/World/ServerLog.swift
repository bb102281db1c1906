public import SquallBackend
import SquallHTTP
public import SquallKernel
import SquallRaces

/// Writes down the requests to a mounted service.
final class ServerLog: BackendObserver {
    private(set) var entries: [LogEntry] = []
    /// True as soon as a sign-in was refused.
    private(set) var refusedSignIn = false
    private let name: String
    private let wire: WireTap
    private var underWay: [UInt32: (request: URLRequest, sent: Instant)] = [:]
    private var sent: [UInt32: (request: URLRequest, shows: TokenTexts?)] = [:]

    init(name: String, _ simulation: Simulation) {
        self.name = name
        wire = WireTap(serving: simulation)
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
        wire.tokensShown(cause, endpoint, request, shows: shows)
    }

    func exchangeEnded(_ exchange: ExchangeRecord) {
        wire.exchangeEnded(exchange)
    }

    func tokensReceived(_ tokens: TokenTexts, by cause: RequestCause) {
        wire.tokensReceived(tokens, by: cause)
    }

    /// How many refreshes were redundant; known after the world's end.
    var redundantRefreshes: Int { wire.recorder.redundantRefreshes.count }

    /// The requests that the service does not know, by verb and path.
    var unknownCalls: [String] { wire.recorder.history.unknownCalls }

    func ended(_ cause: RequestCause) { underWay[cause.request] = nil }

    func requestReplied(_ record: ServerRecord) {
        guard let (request, shown) = sent[record.cause.request] else { return }
        if record.endpoint.role == .signIn, (400..<500).contains(record.status) {
            refusedSignIn = true
        }
        let query = request.url.query.map { "?" + $0 } ?? ""
        entries.append(
            LogEntry(
                service: name, name: record.endpoint.name, method: request.method.rawValue,
                path: request.url.path + query, user: Int(record.cause.user),
                status: record.status, meaning: record.meaning,
                isRefresh: record.endpoint.role == .refresh,
                accessToken: shown?.access, refreshToken: shown?.refresh,
                tokenGeneration: record.tokenGeneration, arrived: record.arrived,
                replied: record.replied))
    }

    var unanswered: [Hang] {
        underWay.sorted { $0.key < $1.key }.map { _, call in
            Hang(
                what: "\(call.request.method) \(call.request.url.path)",
                reason: "its client waits for the answer", since: call.sent)
        }
    }
}

/// One request that a service received, and what it replied.
public struct LogEntry: Hashable, Sendable, CustomStringConvertible {
    /// The service's name.
    public let service: String
    /// The name of its endpoint, by which results count it.
    public let name: String
    /// The HTTP method: `GET`, `POST`.
    public let method: String
    /// The path and the query, as they were sent.
    public let path: String
    /// The number of the user whose session sent it.
    public let user: Int
    /// The status of the reply.
    public let status: Int
    /// What the reply means by the rules of the service.
    public let meaning: AnswerMeaning
    /// True if it exchanges a refresh token for an access token.
    public let isRefresh: Bool
    /// The access token that it showed; `nil` when it showed none.
    public let accessToken: String?
    /// The refresh token that it showed; `nil` when it showed none.
    public let refreshToken: String?
    /// How many refreshes lie between sign-in and the access token it showed; `nil` without one.
    public let tokenGeneration: UInt32?
    /// When the service received it, in virtual time since the world began.
    public let arrived: Instant
    /// When the service replied, in virtual time since the world began.
    public let replied: Instant

    /// One line: `0.080000000 s GET /posts → 401 expired`.
    public var description: String {
        "\(arrived) \(method) \(path) → \(status) \(meaning)"
    }
}
