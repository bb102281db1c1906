import SquallBackend
import SquallHTTP
import SquallJudge
import SquallKernel
import SquallRaces
import SquallReport

/// Remembers every logical request while it is open, so that each attempt has exactly one cause.
///
/// What is kept grows with the requests under way, never with the length of a run.
struct RequestLedger {
    /// Attempts sent, by cause.
    private(set) var attempts = [Int64](repeating: 0, count: WireCause.allCases.count)
    /// Attempts that ended since the beginning, warm-up included.
    private(set) var endedInAll: Int64 = 0
    /// Requests that ended, by their numbers of attempts; the last count includes all above.
    private(set) var requestsByAttempts = [Int64](repeating: 0, count: RequestLedger.attemptsKept)
    /// Attempts that succeeded, by their number among their request's; below, all that ended.
    private(set) var succeeded = [Int64](repeating: 0, count: RequestLedger.attemptsKept)
    private(set) var ended = [Int64](repeating: 0, count: RequestLedger.attemptsKept)
    private(set) var failedRequests: Int64 = 0
    /// Requests that now wait for a new token, the most at once, and all that ever did.
    private(set) var held: Int64 = 0
    private(set) var heldAtOnce: Int64 = 0
    private(set) var heldRequests: Int64 = 0
    /// Retries that a budget was asked for, and those granted.
    private(set) var budget = Ratio()
    private var open = NumberTable(none: OpenRequest())
    /// The calls there were, by number.
    private var endpoints: [Endpoint?] = []

    private static let attemptsKept = 10

    /// A request that was sent and has not ended.
    struct OpenRequest {
        /// The step that made it, and its call.
        var step: OpenStep?
        /// By number, as all that is kept here is copied often; -1 for none.
        var endpoint: Int32 = -1
        /// The refused call that caused it, if it is a refresh.
        var origin: Int32 = -1
        /// The token with which that call was refused; before, the one with which this one was.
        fileprivate(set) var refusedToken: TokenNumber?
        fileprivate(set) var attempts: Int64 = 0
        fileprivate(set) var isRefresh = false
        /// The result of the newest attempt.
        fileprivate(set) var last = AnswerMeaning.success
        /// When it began to wait for a new token.
        fileprivate(set) var heldSince: Int64?

        /// Notes the result of an attempt; returns true if the request now begins to wait for a new
        /// token.
        fileprivate mutating func attemptEnded(
            _ meaning: AnswerMeaning, showing token: TokenNumber?, isRefresh: Bool, at now: Int64
        ) -> Bool {
            self.isRefresh = isRefresh
            attempts += 1
            last = meaning
            guard meaning == .expired, !isRefresh else { return false }
            refusedToken = token
            guard heldSince == nil else { return false }
            heldSince = now
            return true
        }
    }

    /// The origin of a request whose attempt has ended, or never will.
    struct Origin {
        let step: OpenStep?
        /// The refused call that caused it, if it is a refresh.
        let refused: Int32
    }

    /// Resets the counts but keeps the open requests, at the end of a warm-up.
    mutating func restart() {
        var next = RequestLedger()
        next.open = open
        next.endpoints = endpoints
        next.endedInAll = endedInAll
        next.held = held
        next.heldAtOnce = held
        self = next
    }

    /// Notes an attempt that the backend has taken; a call's first one tells its step.
    ///
    /// A refresh belongs to the step with the refused call, whenever it is sent.
    mutating func began(_ cause: RequestCause, _ endpoint: Endpoint, in step: OpenStep?) {
        guard cause.attempt == 0 else { return }
        let number = Int(endpoint.number)
        if !isKnown(number) { know(endpoint) }
        let key = RequestLedger.key(cause.user, cause.request)
        guard let refreshed = cause.refreshFor,
            let refused = open[RequestLedger.key(cause.user, refreshed)]
        else {
            return open.set(OpenRequest(step: step, endpoint: endpoint.number), for: key)
        }
        open.set(
            OpenRequest(
                step: refused.step ?? step, endpoint: endpoint.number, origin: refused.endpoint,
                refusedToken: refused.refusedToken), for: key)
    }

    /// The token with which the call that caused a refresh was refused, where that is known.
    func refusedToken(of refresh: RequestCause) -> TokenNumber? {
        open[RequestLedger.key(refresh.user, refresh.request)]?.refusedToken
    }

    /// The call of a number; `nil` for none.
    func endpoint(_ number: Int32) -> Endpoint? { number < 0 ? nil : endpoints[Int(number)] }

    private func isKnown(_ number: Int) -> Bool {
        // Asked for the case alone: a comparison with `nil` copies what it compares.
        if number < endpoints.count, case .some = endpoints[number] { true } else { false }
    }

    private mutating func know(_ endpoint: Endpoint) {
        let number = Int(endpoint.number)
        endpoints += repeatElement(nil, count: max(0, number + 1 - endpoints.count))
        endpoints[number] = endpoint
    }

    /// Notes that an attempt is sent; returns its request's wait for a new token, if any.
    mutating func attemptSent(_ cause: RequestCause, at now: Int64) -> Int64? {
        guard cause.attempt > 0 else { return nil }
        return release(RequestLedger.key(cause.user, cause.request), at: now)
    }

    /// Notes that an attempt has ended, or is under way when the run is over; returns its cause,
    /// and the state of its request.
    mutating func attemptEnded(
        _ exchange: ExchangeRecord, refresh: WireCause?, isMeasured: Bool, at now: Int64
    ) -> (cause: WireCause, origin: Origin) {
        let key = RequestLedger.key(exchange.cause.user, exchange.cause.request)
        let (meaning, attempt) = (exchange.meaning, Int(exchange.cause.attempt))
        let hasEnded = exchange.outcome != .neverEnded
        let (cause, isHeld, origin) = open.change(key) { request in
            let cause = refresh ?? (attempt == 0 ? .first : request.last.causeOfRetry)
            let isHeld =
                hasEnded
                && request.attemptEnded(
                    meaning, showing: exchange.tokens?.access, isRefresh: refresh != nil, at: now)
            return (cause, isHeld, Origin(step: request.step, refused: request.origin))
        }
        if isHeld { hold() }
        if isMeasured { attempts[cause.rawValue] += 1 }
        guard hasEnded else { return (cause, origin) }
        endedInAll += 1
        guard isMeasured else { return (cause, origin) }
        let place = min(attempt, RequestLedger.attemptsKept - 1)
        ended[place] += 1
        if meaning == .success { succeeded[place] += 1 }
        return (cause, origin)
    }

    /// Notes a request's end, or that it has none; returns its wait for a new token, if any, and
    /// the number of attempts that it wasted.
    mutating func requestEnded(
        user: UInt64, request: UInt32, failed: Bool, at now: Int64
    ) -> (wait: Int64?, wasted: Int64) {
        let key = RequestLedger.key(user, request)
        // By part: the request as a whole would be copied.
        let (since, attempts) =
            open.remove(key) { ($0.heldSince, $0.isRefresh ? 0 : $0.attempts) } ?? (nil, 0)
        let wait = since.map { now - $0 }
        if wait != nil { held -= 1 }
        // A request without a finished attempt has none to count.
        guard attempts > 0 else { return (wait, 0) }
        requestsByAttempts[min(Int(attempts), RequestLedger.attemptsKept) - 1] += 1
        guard failed else { return (wait, 0) }
        failedRequests += 1
        return (wait, attempts)
    }

    /// Notes that a phone's retry budget was asked.
    mutating func budgetAsked(isGranted: Bool) {
        budget.whole += 1
        if isGranted { budget.part += 1 }
    }

    private mutating func hold() {
        held += 1
        heldRequests += 1
        heldAtOnce = max(heldAtOnce, held)
    }

    private mutating func release(_ key: UInt64, at now: Int64) -> Int64? {
        guard let since = open[key]?.heldSince else { return nil }
        open.change(key) { $0.heldSince = nil }
        held -= 1
        return now - since
    }

    static func key(_ user: UInt64, _ request: UInt32) -> UInt64 {
        user << 32 | UInt64(request)
    }
}

extension AnswerMeaning {
    fileprivate var causeOfRetry: WireCause {
        switch self {
        case .success: .retryAfterSuccess
        case .expired: .retryAfterExpiry
        case .signedOut, .refused: .retryAfterRefusal
        case .failure: .retryAfterServerError
        case .none: .retryAfterNoAnswer
        }
    }
}

/// The reason for which an attempt is on the wire; the cases are the leaves of the tree of causes.
enum WireCause: Int, CaseIterable {
    case first
    case retryAfterExpiry, retryAfterRefusal, retryAfterServerError, retryAfterNoAnswer
    case retryAfterSuccess
    case neededRefresh, redundantRefresh, unpromptedRefresh, repeatedRefresh

    var name: String {
        switch self {
        case .first: "first attempts"
        case .retryAfterExpiry: "after an expired token"
        case .retryAfterRefusal: "after another refusal (4xx)"
        case .retryAfterServerError: "after a server error (5xx)"
        case .retryAfterNoAnswer: "after no response"
        case .retryAfterSuccess: "after a response the client could not use"
        case .neededRefresh: "first of an expiry"
        case .redundantRefresh: "further ones of the same expiry"
        case .unpromptedRefresh: "unprompted, without an expired response"
        case .repeatedRefresh: "refreshes sent again"
        }
    }

    var isRefresh: Bool { rawValue >= WireCause.neededRefresh.rawValue }

    static let refreshes = allCases.filter(\.isRefresh)
    static let retries = allCases.filter { $0 != .first && !$0.isRefresh }
}

/// Finds the one cause of each attempt on the wire, from all attempts before it.
struct AttemptCauses {
    var requests = RequestLedger()
    var expiries: ExpiryLedger

    init(users: Int, unless isStopped: () -> Bool) {
        expiries = ExpiryLedger(users: users, unless: isStopped)
    }

    /// The cause and the effects of an attempt that has ended, or never will.
    struct Finding {
        /// The cause for which it was sent.
        let cause: WireCause
        /// True if its response is the first to say that the user's token has expired.
        let beginsExpiry: Bool
        /// True for the first measured attempt of an expiry.
        let countsExpiry: Bool
        /// The loops that it begins or goes on with.
        let loops: SessionExpiry.Loops
        /// The step that made the call.
        let step: OpenStep?
        /// The refused call that caused it, if it is a refresh.
        let origin: Endpoint?
    }

    /// Resets the counts but keeps the attempts under way, at the end of a warm-up.
    mutating func restart() {
        requests.restart()
        expiries.restart()
    }

    /// True if an attempt is counted by what it says of tokens.
    ///
    /// `step` is the one that the user is on, here and below, by its ordinal: code of an earlier
    /// one that goes on is told apart from nothing else on the wire.
    func follows(
        _ cause: RequestCause, _ endpoint: Endpoint, _ meaning: AnswerMeaning, inStep step: UInt32?
    ) -> Bool {
        guard meaning != .expired, endpoint.role == .ordinary else { return true }
        return expiries.follows(user: Int(cause.user), inStep: step ?? .max)
    }

    /// An attempt has ended, or is under way when the run is over.
    mutating func ended(
        _ exchange: ExchangeRecord, inStep step: UInt32? = nil, isMeasured: Bool, at now: Int64
    ) -> Finding {
        let known =
            exchange.cause.renews(by: exchange.endpoint)
            ? refresh(exchange, inStep: step ?? .max, isMeasured: isMeasured, at: now)
            : expiry(of: exchange, inStep: step ?? .max, isMeasured: isMeasured, at: now)
        let (cause, origin) = requests.attemptEnded(
            exchange, refresh: known.refresh, isMeasured: isMeasured, at: now)
        return Finding(
            cause: cause, beginsExpiry: known.begins, countsExpiry: known.counts,
            loops: known.loops, step: origin.step,
            origin: requests.endpoint(known.refused ?? origin.refused))
    }

    private struct Known {
        var refresh: WireCause?
        /// The call that was refused before a refresh, where its client does not tell.
        var refused: Int32?
        var begins = false
        var counts = false
        var loops = SessionExpiry.Loops()
    }

    /// The effect on a user's expiries of an attempt that renews no token.
    private mutating func expiry(
        of exchange: ExchangeRecord, inStep step: UInt32, isMeasured: Bool, at now: Int64
    ) -> Known {
        let user = Int(exchange.cause.user)
        if exchange.endpoint.role == .ordinary, exchange.meaning == .success {
            expiries.used(user, handedOverAt: exchange.handedOver.nanoseconds)
        }
        if exchange.endpoint.role == .signIn, exchange.meaning == .success {
            expiries.signedIn(user: user, at: now)
            if let tokens = exchange.tokens {
                expiries.got(tokens, user: user, byRefresh: false, at: now)
            }
        }
        switch exchange.meaning {
        case .expired: return refused(exchange, inStep: step, isMeasured: isMeasured, at: now)
        case .success, .refused, .signedOut:
            if let tokens = exchange.tokens { expiries.succeeded(tokens.call, user: user) }
        case .failure, .none: break
        }
        return Known()
    }

    private mutating func refused(
        _ exchange: ExchangeRecord, inStep step: UInt32, isMeasured: Bool, at now: Int64
    ) -> Known {
        var request = SessionExpiry.RefusedRequest(
            handedOverAt: exchange.handedOver.nanoseconds, access: exchange.tokens?.access)
        (request.call, request.step) = (exchange.tokens?.call ?? 0, step)
        let answer = expiries.refused(
            request, of: exchange.endpoint, user: Int(exchange.cause.user), isMeasured: isMeasured,
            at: now)
        return Known(begins: answer.begins, counts: answer.counts)
    }

    private mutating func refresh(
        _ exchange: ExchangeRecord, inStep step: UInt32, isMeasured: Bool, at now: Int64
    ) -> Known {
        let user = Int(exchange.cause.user)
        var refresh = SessionExpiry.EndedRefresh(
            handedOverAt: exchange.handedOver.nanoseconds,
            isPrompted: exchange.cause.refreshFor.map { $0 != RequestCause.clock } ?? false,
            RenewalEnding(exchange.meaning))
        refresh.refused = refresh.isPrompted ? requests.refusedToken(of: exchange.cause) : nil
        refresh.access = exchange.tokens?.access
        refresh.refresh = exchange.tokens?.refresh
        refresh.step = step == .max ? nil : step
        let found = expiries.ended(
            refresh, user: user, isRepeated: exchange.cause.attempt > 0, isMeasured: isMeasured,
            at: now)
        if exchange.meaning == .success, let tokens = exchange.tokens {
            let isRefresh = exchange.endpoint.role == .refresh
            expiries.got(tokens, user: user, byRefresh: isRefresh, at: now)
        }
        let isUntold = !refresh.isPrompted && found.cause != .unpromptedRefresh
        let refused = isUntold ? expiries.lastRefused(user: user, inStep: step) : nil
        return Known(
            refresh: found.cause, refused: refused, counts: found.counts, loops: found.loops)
    }
}

extension RequestCause {
    /// True for a call that renews a token: a refresh, or a sign-in that no user asked for.
    func renews(by endpoint: Endpoint) -> Bool {
        endpoint.role == .refresh || endpoint.role == .signIn && refreshFor != nil
    }
}
