import SquallFormat
public import SquallLab

/// Asks a real token service what it is: what a refresh does, how long tokens live, and what it
/// says when it refuses them.
///
/// **Start here** to read this folder. It signs in with test accounts, uses tokens twice and lets
/// them grow old, and notes each request with its response as evidence. ``AgeSearch`` finds lives
/// and leeways; everything that has to wait is on one ``ProbeAgenda``, so it waits together.
public final class TokenProbe {
    let client: ProbeClient
    var calls: TokenCalls
    let limits: ProbeLimits
    let agenda: ProbeAgenda
    let target: DriveTarget
    private let accounts: [UserAccount]
    private var nextAccount = 0
    /// Sessions whose access tokens are let expire first, because no earlier refresh is accepted.
    var agedSessions: [ProbeSession] = []
    /// The number of sessions that an account has at a time; `nil` where no sign-in ended another.
    var sessionsMax: Int?
    /// True where sign-ins take several accounts in turn.
    var hasManyAccounts: Bool { accounts.count > 1 }
    /// Finds how long access tokens live; `nil` where no call shows it.
    var life: AgeSearch?
    /// Asks up to which age one is accepted that was used meanwhile; `nil` where that is not asked.
    var usedLife: AgeSearch?
    /// True as soon as the protected call has told a good access token from another one.
    var isProtected = false
    /// The least life of an access token by the dates of responses, which are up to seconds old.
    var dated: Int64?
    /// The members of the success that says no, of a service that does not say it by a status.
    var refusedMembers: Set<String>?
    /// True as soon as a call with a new access token has worked.
    var hasWorkingCall = false
    /// The responses to an unknown refresh token, to a used one, to a revoked one and to one whose
    /// life was over.
    var unknownRefusal, usedRefusal, revokedRefusal, outlivedRefusal: ProbeExchange?
    /// Finds how long refresh tokens live; `nil` where that is not asked.
    var refreshLife: AgeSearch?
    var tokens = ProbedTokens()
    var facts: [ProbeQuestion: ProbeFact] = [:]
    var remarks: [String] = []
    private var end: ProbeEnd?

    /// The time by which a service that counts whole seconds may be early.
    static let wholeSecond: Int64 = 1_000_000_000

    /// A probe of a service that a wire leads to.
    init(
        _ target: DriveTarget, over wire: any Wire, _ calls: TokenCalls, _ accounts: [UserAccount],
        _ limits: ProbeLimits, clock: @escaping () -> Int64,
        isStopped: @escaping () -> Bool, told: @escaping (Int64, Int64) -> Void = { _, _ in }
    ) {
        (self.target, self.calls, self.accounts, self.limits) = (target, calls, accounts, limits)
        client = ProbeClient(
            wire, target, limits, clock: clock, isStopped: isStopped, told: told)
        agenda = ProbeAgenda(client)
        for account in accounts {
            client.hide(account.password, as: "‹password›")
            client.hide(account.password.percentEncodedWhole, as: "‹password›")
        }
        for text in calls.client?.forms ?? [] { client.hide(text, as: "‹secret›") }
    }

    /// A probe over connections of this process.
    ///
    /// - Throws: `ResponseProblem` where the target's name has no address; `SocketServer.Problem`
    ///   where sockets cannot be used.
    public convenience init(
        _ target: DriveTarget, _ calls: TokenCalls, as accounts: [UserAccount],
        _ limits: ProbeLimits, clock: @escaping () -> Int64,
        isStopped: @escaping () -> Bool, told: @escaping (Int64, Int64) -> Void
    ) throws {
        self.init(
            target, over: try target.wire(), calls, accounts, limits, clock: clock,
            isStopped: isStopped, told: told)
    }

    /// Asks everything, as far as limits allow and until it is asked to stop.
    public func run() -> ProbeReport {
        do throws(ProbeEnd) { try ask() } catch { end = error }
        noteRevoked()
        noteWarnings()
        unknown(ProbeQuestion.allCases.filter { facts[$0] == nil }, because: reason)
        return ProbeReport(self, end, requests: client.sent, took: client.now - client.startedAt)
    }

    /// The reason for which a question was not asked.
    private var reason: String {
        switch end {
        case nil: "nothing showed it"
        case .stopped: "interrupted before it was asked"
        case .outOfRequests: "the limit of \(limits.requests) requests was reached"
        case .outOfTime:
            "the limit of \(Units.exact(nanoseconds: limits.nanoseconds)) was reached"
        case .failed(let reason): reason
        }
    }

    private func ask() throws(ProbeEnd) {
        let first = try askSignIn()
        try askWithoutToken(first)
        try askProtected(first)
        let refreshes = try askRefresh(first)
        life = lifeSearch()
        if refreshes == .tooEarly { try askExpired() }
        if sessionsMax != nil { try agenda.play() }
        try askUsedTokens(refreshes)
        try askRateLimit()
    }

    /// True while no connection to the service was ever made.
    var isUnreachable: Bool { client.isUnreachable }

    func note(_ question: ProbeQuestion, _ answer: String, _ evidence: [String]) {
        facts[question] = ProbeFact(question: question, answer: answer, evidence: evidence)
    }

    /// Notes that there is no answer, and the reason.
    func unknown(_ question: ProbeQuestion, because reason: String) {
        facts[question] = ProbeFact(question: question, answer: nil, evidence: [reason])
    }

    func unknown(_ questions: [ProbeQuestion], because reason: String) {
        for question in questions { unknown(question, because: reason) }
    }

    /// The name and password of the next account, in turn.
    var account: (name: String, password: String)? {
        guard !accounts.isEmpty else { return nil }
        defer { nextAccount += 1 }
        let account = accounts[nextAccount % accounts.count]
        return (account.email, account.password)
    }
}
