public import SquallBackend
public import SquallHTTP

/// Counts the redundant refreshes of a mounted service's users, as `SessionExpiry` defines them.
///
/// What made a client refresh is not known here. A call that was refused, and has neither been sent
/// again nor been followed by a refresh of its own, is taken as the cause.
public struct FarSessions {
    /// The redundant refreshes that have ended.
    private var redundant: [UInt32] = []
    private var sessions: [UInt64: Session] = [:]
    private var open: [UInt32: Handed] = [:]
    /// The refresh tokens that requests showed.
    private var shown: [UInt32: String] = [:]
    /// Refreshes under way whose session has ended meanwhile, because the user signed in again.
    private var outlived: Set<UInt32> = []
    private var moment: Int64 = 0

    private struct Session {
        var expiry = SessionExpiry()
        /// Calls that were refused as expired, by verb and path.
        var refused: [String] = []
        /// Refresh tokens that were exchanged for others.
        var spent: Set<String> = []
    }

    /// A request that was handed over and has not ended.
    private struct Handed {
        let cause: RequestCause
        let moment: Int64
        let name: String
        let role: Endpoint.Role
        let isPrompted: Bool
    }

    /// No requests so far.
    public init() {}

    /// Notes that a request was handed over.
    public mutating func began(
        _ cause: RequestCause, _ endpoint: Endpoint, _ request: URLRequest, _ shows: TokenTexts?
    ) {
        moment += 1
        shown[cause.request] = shows?.refresh
        let name = "\(request.method) \(request.url.path)"
        var session = sessions[cause.user] ?? Session()
        var isPrompted = false
        switch endpoint.role {
        case .refresh where !session.refused.isEmpty:
            isPrompted = true
            session.refused.removeFirst()
        case .ordinary:
            if let place = session.refused.firstIndex(of: name) {
                session.refused.remove(at: place)
            }
        case .refresh, .signIn: break
        }
        sessions[cause.user] = session
        open[cause.request] = Handed(
            cause: cause, moment: moment, name: name, role: endpoint.role, isPrompted: isPrompted)
    }

    /// Notes that a request has ended.
    public mutating func ended(_ cause: RequestCause, _ meaning: AnswerMeaning) {
        moment += 1
        guard let handed = open.removeValue(forKey: cause.request) else { return }
        end(handed, meaning)
    }

    /// Notes the tokens that a request has brought, after it ended.
    public mutating func received(_ tokens: TokenTexts, _ cause: RequestCause) {
        guard let shown = shown[cause.request], let new = tokens.refresh, new != shown else {
            return
        }
        sessions[cause.user]?.spent.insert(shown)
    }

    /// The refreshes that were redundant, by the numbers of their requests; those that never ended
    /// are judged last.
    public var allRedundant: [UInt32] {
        var all = self
        all.close()
        return all.redundant
    }

    private mutating func close() {
        moment += 1
        let rest = open.values.sorted { $0.moment < $1.moment }
        open = [:]
        for handed in rest where handed.role == .refresh { end(handed, .none) }
    }

    private mutating func end(_ handed: Handed, _ meaning: AnswerMeaning) {
        var session = sessions[handed.cause.user] ?? Session()
        switch handed.role {
        case .refresh where outlived.remove(handed.cause.request) != nil: break
        case .refresh:
            let reason = session.expiry.refreshEnded(
                handedOverAt: handed.moment, isPrompted: handed.isPrompted,
                isSpent: shown[handed.cause.request].map(session.spent.contains) ?? false,
                succeeded: meaning == .success, at: moment)
            if reason.isRedundant { redundant.append(handed.cause.request) }
            if meaning == .signedOut { session.refused = [] }
        case .signIn:
            guard meaning == .success else { break }
            session.expiry.renewed(at: moment)
            session.refused = []
            let others = open.values.filter {
                $0.role == .refresh && $0.cause.user == handed.cause.user
            }
            outlived.formUnion(others.map(\.cause.request))
        case .ordinary where meaning == .expired:
            _ = session.expiry.refused(handedOverAt: handed.moment)
            session.refused.append(handed.name)
        case .ordinary: break
        }
        sessions[handed.cause.user] = session
    }
}
