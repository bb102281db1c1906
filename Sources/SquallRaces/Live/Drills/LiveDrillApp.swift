import SquallBackend
import SquallHTTP
import SquallKernel

/// The app that drills are played with, as its requests show it.
///
/// It is the one that made the call with which a drill begins; requests of other users are passed
/// over.
final class LiveDrillApp: BackendObserver, @unchecked Sendable {
    // Safe because everything happens on the simulation's thread.

    private let simulation: Simulation
    private unowned let backend: Backend
    private let isSignOut: (Endpoint, URLRequest) -> Bool
    /// The recorder of the drill that is played; `nil` between drills.
    var tap: WireTap?
    /// Its users so far; empty until a drill has found it.
    private(set) var users: Set<UInt64> = []
    /// The account that its calls showed when a drill began.
    private(set) var account = -1
    /// The account of a later sign-in that is another's.
    private(set) var otherAccount = -1
    private var candidate: UInt64 = 0
    /// The open calls by user and request, with the access tokens that they show.
    private var open: [RaceCall: OpenCall] = [:]
    /// The meaning of the latest response, by the address of the call.
    private var outcomes: [UInt64: (endpoint: String, problem: String?, at: Int64)] = [:]
    /// The calls of those whose token was refused, and when a refresh has succeeded last.
    private var (refusedCalls, refreshedAt): (Set<UInt64>, Int64) = ([], .min)
    private var lastActivity: Int64 = 0
    private(set) var calls = 0
    private(set) var writes = 0
    private(set) var successes = 0
    /// The number of calls that were refused as expired, and of refreshes or sign-ins that were
    /// sent.
    private(set) var refusals = 0
    private(set) var refreshes = 0
    private(set) var signIns = 0
    private(set) var signOuts = 0
    /// True if it has no session as far as its requests show.
    private(set) var isSignedOut = false
    /// True if that is so since a refresh was refused: one that succeeds shows that it kept it.
    private var wasRefused = false
    /// True if it signed in although it had a session.
    private(set) var hadToSignIn = false
    /// True as soon as it has used a refresh token: what renews by signing in alone may keep its
    /// account's password.
    private(set) var hasRefreshed = false

    private struct OpenCall {
        let address: UInt64
        let access: String?
        let isSignOut: Bool
    }

    init(
        _ simulation: Simulation, _ backend: Backend,
        isSignOut: @escaping (Endpoint, URLRequest) -> Bool
    ) {
        (self.simulation, self.backend, self.isSignOut) = (simulation, backend, isSignOut)
    }

    private var now: Int64 { simulation.now.nanoseconds }

    /// Looks for the app anew.
    func forget() {
        users = []
        (account, otherAccount) = (-1, -1)
        hadToSignIn = false
    }

    /// Takes the app that made the latest call that succeeded.
    func settle() {
        users = [candidate]
        (outcomes, refusedCalls) = ([:], [])
        (isSignedOut, hadToSignIn) = (false, false)
    }

    /// Notes that the user has signed out, where requests do not show it.
    func hasSignedOut() { (isSignedOut, wasRefused) = (true, false) }

    /// A sign-in that follows was asked for.
    func expectsSignIn() { (isSignedOut, hadToSignIn) = (true, false) }

    /// True if nothing is under way, and nothing has happened for a while.
    func isQuiet(for span: Int64) -> Bool { open.isEmpty && now - lastActivity >= span }

    /// The latest problem in responses to its calls since a moment.
    func problem(since moment: Int64) -> String? {
        outcomes.values.filter { $0.at >= moment && $0.problem != nil }
            .min { ($0.at, $0.endpoint) < ($1.at, $1.endpoint) }
            .map { "\($0.endpoint): \($0.problem ?? "")" }
    }

    /// True if a call was refused for its token before a refresh succeeded, and did not come again.
    func hasDropped(since moment: Int64) -> Bool {
        refreshedAt >= moment
            && refusedCalls.contains { (outcomes[$0]?.at ?? .max) <= refreshedAt }
    }

    private func concerns(_ cause: RequestCause, _ endpoint: Endpoint) -> Bool {
        users.isEmpty || cause.user == 0 || endpoint.role == .signIn || users.contains(cause.user)
    }
}

extension LiveDrillApp {
    /// True: the app is found by the tokens that it shows.
    var followsTokens: Bool { true }
    /// True: the recorder of the drill needs every reply.
    var keepsServerLog: Bool { true }

    func tokensShown(
        _ cause: RequestCause, _ endpoint: Endpoint, _ request: URLRequest, shows: TokenTexts?
    ) {
        guard concerns(cause, endpoint) else { return }
        lastActivity = now
        let isLeaving = isSignOut(endpoint, request)
        open[cause.call] = OpenCall(
            address: TokenTrace(call: request, shows: nil).call, access: shows?.access,
            isSignOut: isLeaving)
        if isLeaving {
            signOuts += 1
            (isSignedOut, wasRefused) = (true, false)
        } else if endpoint.role != .ordinary {
            refreshes += 1
            if endpoint.role == .refresh { hasRefreshed = true }
        } else {
            calls += 1
            if request.method != .get { writes += 1 }
        }
        adopt(shows?.access, .access, by: cause)
        adopt(shows?.refresh, .refresh, by: cause)
        tap?.tokensShown(cause, endpoint, request, shows: shows)
    }

    /// Notes a token that was issued before the drill.
    private func adopt(_ text: String?, _ kind: TokenMint.Kind, by cause: RequestCause) {
        guard let text, let tap, tap.recorder.token(text) == nil else { return }
        let owner = backend.owner(of: TokenTexts(access: text))
        tap.tokenIssued(
            IssuedToken(
                text: text, kind: kind, user: cause.user, account: owner ?? cause.user,
                generation: 0))
    }

    func requestReplied(_ record: ServerRecord) {
        if concerns(record.cause, record.endpoint) { tap?.requestReplied(record) }
    }

    func exchangeEnded(_ record: ExchangeRecord) {
        guard let call = open.removeValue(forKey: record.cause.call) else { return }
        lastActivity = now
        tap?.exchangeEnded(record)
        switch record.endpoint.role {
        case .ordinary: if !call.isSignOut { ended(record, call.address, shows: call.access) }
        case .refresh:
            if Self.endsSession(record), !isSignedOut { (isSignedOut, wasRefused) = (true, true) }
            guard record.meaning == .success else { return }
            refreshedAt = now
            if wasRefused { (isSignedOut, wasRefused) = (false, false) }
        case .signIn: if record.meaning == .success { signedIn(record.cause.user) }
        }
    }

    private func ended(_ record: ExchangeRecord, _ address: UInt64, shows access: String?) {
        outcomes[address] = (record.endpoint.name, Self.problem(record), now)
        refusedCalls.remove(address)
        if record.meaning == .expired {
            refusals += 1
            refusedCalls.insert(address)
        }
        guard record.meaning == .success, let access else { return }
        successes += 1
        candidate = record.cause.user
        guard users.isEmpty else { return }
        account = backend.owner(of: TokenTexts(access: access)).map(Int.init) ?? 0
    }

    /// True for a response to a refresh that an app may take for the end of its session.
    private static func endsSession(_ record: ExchangeRecord) -> Bool {
        guard case .status(let status) = record.outcome else { return false }
        return (400..<500).contains(status) && status != 429
    }

    /// The failure that a response makes an app show; `nil` where a drill cannot blame the app for
    /// it.
    private static func problem(_ record: ExchangeRecord) -> String? {
        guard case .status(let status) = record.outcome else {
            return record.outcome == .error(.cancelled) ? nil : "no response"
        }
        switch record.meaning {
        case .expired: return "rejected for its token (\(status)), and not retried"
        case .signedOut, .failure: return "status \(status)"
        case .success, .refused, .none: return nil
        }
    }

    private func signedIn(_ user: UInt64) {
        signIns += 1
        if !users.isEmpty, !isSignedOut { hadToSignIn = true }
        (isSignedOut, wasRefused) = (false, false)
        if !users.isEmpty { users.insert(user) }
    }

    func tokensReceived(_ tokens: TokenTexts, by cause: RequestCause) {
        guard users.isEmpty || users.contains(cause.user) else { return }
        tap?.tokensReceived(tokens, by: cause)
    }

    func tokenIssued(_ token: IssuedToken) {
        tap?.tokenIssued(token)
        if !users.isEmpty, Int(token.account) != account { otherAccount = Int(token.account) }
    }
}
