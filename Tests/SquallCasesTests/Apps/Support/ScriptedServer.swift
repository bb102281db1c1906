import SquallHTTP
import SquallKernel

/// A server of a few lines, with an opinion of tokens of its own: any word is a token, and those
/// it has not expired are good.
///
/// Every answer takes a second unless a script says otherwise, so that a test's timeline can be
/// worked out by hand.
final class ScriptedServer: Transport, @unchecked Sendable {
    // Safe because everything happens on the simulation's thread.

    /// What a refresh is answered.
    enum Refresh {
        case succeeds
        case status(Int)
        /// One status after another, the last one for ever.
        case inTurn([Int])
        case isLost
        /// A 200 with a body that is none.
        case isGarbled
    }

    private let simulation: Simulation
    var refresh = Refresh.succeeds
    /// Whether tokens that a refresh hands out are good.
    var newTokensAreGood = true
    /// Whether a refresh is refused with 409 while its token is still good, as in 2023.
    var refusesEarlyRefreshes = false
    /// Tokens that are good from the beginning.
    var goodTokens: [String] = []
    /// How long a token is good from its issue, or from the beginning; without end unless said.
    var lifetimeSeconds: Double?
    private var issued: [String: Instant] = [:]
    private var answers: [(part: String, status: Int, body: String)] = []
    /// Calls of paths that begin so never get an answer; the error comes after the latency.
    var lostPaths: [String] = []
    /// Seconds that the n-th call of anybody takes, if not one.
    var seconds: (_ call: Int, _ request: URLRequest) -> Double = { _, _ in 1 }

    /// Bodies that depend on which call it is; `nil` leaves it to the script.
    var body: (_ call: Int, _ request: URLRequest) -> String? = { _, _ in nil }

    /// What was sent, in order.
    private(set) var requests: [URLRequest] = []
    /// Why it was sent, in the same order.
    private(set) var causes: [RequestCause] = []
    /// When it was sent, in the same order.
    private var instants: [Instant] = []
    /// What was answered, in order.
    private(set) var answered: [URLRequest] = []
    private var refreshes = 0

    init(simulation: Simulation) { self.simulation = simulation }

    /// What was sent, as `GET /v1/posts`, in order.
    var calls: [String] { requests.map { "\($0.method) \($0.url.path)" } }

    /// What was sent, when and with which token, as `2.0 T1 GET /v1/posts`, in order.
    var log: [String] {
        zip(instants, requests).map { instant, request in
            let seconds = Double(instant.nanoseconds / 1_000_000) / 1_000
            return "\(seconds) \(request.token) \(request.method) \(request.url.path)"
        }
    }

    /// Answers calls so in whose path and query a part occurs; of several the first one counts.
    func serve(_ part: String, _ body: String = Answers.everything, status: Int = 200) {
        answers.append((part, status, body))
    }

    /// No longer answers calls by that part.
    func forget(_ part: String) { answers.removeAll { $0.part == part } }

    /// How many calls had a path that ends so.
    func count(_ suffix: String) -> Int {
        requests.count { $0.url.path.hasSuffix(suffix) }
    }

    func send(_ request: URLRequest, cause: RequestCause) async throws(TransportError)
        -> TransportResponse
    {
        let call = requests.count
        requests.append(request)
        causes.append(cause)
        instants.append(simulation.now)
        let nanoseconds = Int64(seconds(call, request) * 1e9)
        do { try await simulation.sleep(nanoseconds: nanoseconds) } catch {
            throw TransportError(.cancelled)
        }
        answered.append(request)
        var (status, text) = (200, body(call, request))
        if text == nil {
            let scripted = try answer(request)
            (status, text) = (scripted.0, scripted.1)
        }
        let head = HTTPURLResponse(url: request.url, statusCode: status)
        return TransportResponse(head: head, body: Body(text ?? ""))
    }

    private func answer(_ request: URLRequest) throws(TransportError) -> (Int, String) {
        let path = request.url.path
        if lostPaths.contains(where: path.hasPrefix) {
            throw TransportError(.networkConnectionLost)
        }
        if path.hasSuffix("/refresh") { return try answerRefresh(request) }
        let address = path + "?" + (request.url.query ?? "")
        if let scripted = answers.first(where: { address.contains($0.part) }) {
            return (scripted.status, scripted.body)
        }
        let isOpen = ["/login", "/join", "/email"].contains(where: path.hasSuffix)
        let token = request.value(forHTTPHeaderField: "Authorization") ?? ""
        if !isOpen, token.isEmpty { return (401, #"{"message":"no token"}"#) }
        guard isOpen || isGood(token) else {
            return (419, #"{"message":"expired"}"#)
        }
        return (200, Answers.everything)
    }

    /// Whether a token is good at the moment of an answer.
    private func isGood(_ token: String) -> Bool {
        guard goodTokens.contains(token) else { return false }
        guard let lifetimeSeconds else { return true }
        let age = simulation.now.nanoseconds - (issued[token]?.nanoseconds ?? 0)
        return age < Int64(lifetimeSeconds * 1e9)
    }

    private func answerRefresh(_ request: URLRequest) throws(TransportError) -> (Int, String) {
        let old = request.value(forHTTPHeaderField: "Authorization") ?? ""
        if refusesEarlyRefreshes, isGood(old) { return (409, #"{"message":"no"}"#) }
        defer { refreshes += 1 }
        let status: Int
        switch refresh {
        case .succeeds: status = 200
        case .status(let fixed): status = fixed
        case .inTurn(let statuses): status = statuses[min(refreshes, statuses.count - 1)]
        case .isLost: throw TransportError(.networkConnectionLost)
        case .isGarbled: return (200, "{}")
        }
        guard status == 200 else { return (status, #"{"message":"no"}"#) }
        let token = "T\(refreshes + 1)"
        if newTokensAreGood { goodTokens.append(token) }
        issued[token] = simulation.now
        return (200, #"{"accessToken":"\#(token)","token":"\#(token)"}"#)
    }
}

extension URLRequest {
    /// The token it carries, or a dash.
    var token: String { value(forHTTPHeaderField: "Authorization") ?? "-" }
}
