public import SquallBackend
public import SquallHTTP
import SquallJudge

/// Counts the redundant refreshes of a mounted service's users, as `SessionExpiry` defines them.
///
/// The cause of a refresh is not known here. A call that was refused, and has neither been sent
/// again nor been followed by a refresh of its own, is taken as the cause.
public struct RedundantRefreshCounter {
    /// The redundant refreshes that have ended.
    private var redundant: [UInt32] = []
    private var sessions: [UInt64: Session] = [:]
    private var open: [UInt32: Handed] = [:]
    /// What requests showed, which tells of what they bring as well.
    private var shown: [UInt32: TokenTrace] = [:]
    /// Refreshes under way whose session has ended meanwhile, because the user signed in again.
    private var outlived: Set<UInt32> = []
    private var moment: Int64 = 0

    private struct Session {
        var expiry = SessionExpiry()
        /// Calls that were refused as expired, by verb and path, and the tokens they showed.
        var refused: [(name: String, token: TokenNumber?)] = []

        /// Notes that a request is sent; returns the refused call that is the cause of a refresh.
        mutating func began(
            _ role: Endpoint.Role, _ name: String
        ) -> (name: String, token: TokenNumber?)? {
            switch role {
            case .refresh: return refused.isEmpty ? nil : refused.removeFirst()
            case .ordinary:
                if let place = refused.firstIndex(where: { $0.name == name }) {
                    refused.remove(at: place)
                }
            case .signIn: break
            }
            return nil
        }
    }

    /// A request that was handed over and has not ended.
    private struct Handed {
        let cause: RequestCause
        let moment: Int64
        let name: String
        let role: Endpoint.Role
        let shows: TokenTrace
        let isPrompted: Bool
        /// The token of the call that was refused before a refresh.
        let refused: TokenNumber?
    }

    /// No requests so far.
    public init() {}

    /// Notes that a request was handed over.
    public mutating func began(
        _ cause: RequestCause, _ endpoint: Endpoint, _ request: URLRequest, _ shows: TokenTexts?
    ) {
        moment += 1
        let trace = TokenTrace(call: request, shows: shows)
        shown[cause.request] = trace
        let name = "\(request.method) \(request.url.path)"
        // In place, here and below: a session that is taken out is copied.
        let prompt = sessions[cause.user, default: Session()].began(endpoint.role, name)
        open[cause.request] = Handed(
            cause: cause, moment: moment, name: name, role: endpoint.role, shows: trace,
            isPrompted: prompt != nil, refused: prompt?.token)
    }

    /// Notes that a request has ended.
    public mutating func ended(_ cause: RequestCause, _ meaning: AnswerMeaning) {
        moment += 1
        guard let handed = open.removeValue(forKey: cause.request) else { return }
        end(handed, meaning)
    }

    /// Notes the tokens that a request has brought, after it ended.
    public mutating func received(_ tokens: TokenTexts, _ cause: RequestCause) {
        guard let shown = shown[cause.request] else { return }
        sessions[cause.user]?.expiry.got(
            access: tokens.access.map(TokenNumber.init(text:)),
            refresh: tokens.refresh.map(TokenNumber.init(text:)), for: shown.refresh)
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
        let user = handed.cause.user
        switch handed.role {
        case .refresh where outlived.remove(handed.cause.request) != nil: break
        case .refresh:
            let refresh = refresh(handed, meaning)
            let (reason, _) = sessions[user, default: Session()].expiry.ended(refresh, at: moment)
            if reason.isRedundant { redundant.append(handed.cause.request) }
            if meaning == .signedOut { sessions[user]?.refused = [] }
        case .signIn:
            guard meaning == .success else { break }
            sessions[user, default: Session()].expiry.signedIn(at: moment)
            sessions[user]?.refused = []
            let others = open.values.filter { $0.role == .refresh && $0.cause.user == user }
            outlived.formUnion(others.map(\.cause.request))
        case .ordinary where meaning == .expired:
            let token = handed.shows.access
            _ = sessions[user, default: Session()].expiry.refused(
                .init(handedOverAt: handed.moment, access: token), at: moment)
            sessions[user]?.refused.append((handed.name, token))
        case .ordinary: break
        }
    }

    private func refresh(_ handed: Handed, _ meaning: AnswerMeaning) -> SessionExpiry.EndedRefresh {
        var refresh = SessionExpiry.EndedRefresh(
            handedOverAt: handed.moment, isPrompted: handed.isPrompted, RenewalEnding(meaning))
        refresh.refused = handed.refused
        (refresh.access, refresh.refresh) = (handed.shows.access, handed.shows.refresh)
        return refresh
    }
}
