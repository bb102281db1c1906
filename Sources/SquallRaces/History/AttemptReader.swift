public import SquallBackend
import SquallHTTP
public import SquallJudge

/// Reads a run: its attempts, the reason of each refresh among them, and what invariants can see.
///
/// ``SquallJudge/SessionExpiry`` decides the reason; the moments are positions of events. A
/// refresh without an end is decided last, unless its app was killed: no code waits for that one.
public struct AttemptReader {
    /// Every attempt, in the order of handing over.
    private(set) var attempts: [WireAttempt] = []
    /// What invariants can see in the run.
    private(set) var evidence: Evidence
    /// The users with events.
    private(set) var users = Positions<Int>()
    private let history: History
    /// What is known of each user, and of each call, by their positions.
    private var states: [UserState] = []
    private var calls: [CallState]
    /// The attempts of apps that were killed before they ended.
    private var abandoned: Set<Int> = []
    /// The refused calls that refreshes are taken to be for, by the refreshes' positions.
    private var causes: [Int: Waiting] = [:]
    /// The first user with a token that was shown.
    private var owner: Int?

    private struct UserState {
        var session = SessionExpiry()
        /// The access token that the app stores.
        var kept: Int?
        /// How many actions the user has begun.
        var steps: UInt32 = 0
        /// How often the store has changed; the first change is the app's initial state.
        var changes = 0
        /// The newest access token that the device has got.
        var newest: Int?
        /// The refused calls that have not come again; empty where refreshes tell their causes.
        var waiting: [Waiting] = []
        /// How many ordinary calls are open.
        var open = 0
    }

    private struct CallState {
        /// True if it began after its user's store had changed.
        var isLater = false
        /// True for an ordinary call that was sent, and for one that has carried a token.
        var (isOrdinary, hasCarried) = (false, false)
        /// The first token that it was refused with.
        var refused: Int?
        /// Its newest attempt.
        var newest: Int?
        var isOpen = false
    }

    private typealias Waiting = (address: UInt64, token: Int?)

    /// The number of users that make a crowd.
    static let crowdMin = 8

    init(_ history: History) {
        (self.history, evidence) = (history, history.seen)
        calls = history.byCall(CallState())
        if history.setting.isRotating { evidence.insert(.rotation) }
        if history.setting.users >= Self.crowdMin { evidence.insert(.crowd) }
        for (index, event) in history.events.enumerated() {
            read(event, at: index, of: place(of: event.user))
        }
        for position in attempts.indices
        where attempts[position].isRefresh && attempts[position].ended == nil {
            judge(position, of: place(of: attempts[position].sent.user), at: .max)
        }
        if hasCallsAtOnce { evidence.insert(.secondCall) }
    }

    private mutating func place(of user: Int) -> Int {
        if let known = users[user] { return known }
        states.append(UserState())
        return users.add(user)
    }

    private mutating func read(_ event: RaceEvent, at index: Int, of user: Int) {
        switch event.kind {
        case .sent: sent(event, at: index, of: user)
        case .answered, .unanswered: ended(event, at: index, of: user)
        case .served: if event.isWriteDone { evidence.insert(.write) }
        case .stored: stored(event, of: user)
        case .erased: states[user].kept = nil
        case .callBegan:
            if let call = event.call, states[user].changes > 1 { calls[call].isLater = true }
        case .leaves: evidence.insert(.leaving)
        case .actBegan:
            states[user].steps += 1
            if history.setting.hasFaults, event.at >= history.setting.calmFrom {
                evidence.insert(.calm)
            }
        case .actEnded: evidence.insert(.action)
        case .restarted:
            evidence.insert(.comeBack)
            restart(user)
        case .cameBack: evidence.insert(.comeBack)
        default: return
        }
    }

    private mutating func stored(_ event: RaceEvent, of user: Int) {
        states[user].kept = event.access
        guard event.access != nil || event.refresh != nil else { return }
        evidence.insert(.store)
        states[user].changes += 1
        if states[user].changes > 1 { evidence.insert(.storeChange) }
    }

    private mutating func sent(_ event: RaceEvent, at index: Int, of user: Int) {
        guard let call = event.call else { return }
        calls[call].newest = attempts.count
        var attempt = WireAttempt(sent: event, sentIndex: index)
        for case let token? in [event.access, event.refresh] { shows(token) }
        switch event.role {
        case .refresh:
            attempt.replaces = event.access ?? states[user].kept
            evidence.insert(.refresh)
            if attempt.replaces != nil { evidence.insert(.replacement) }
            if event.refresh != nil { evidence.insert(.refreshToken) }
            if !states[user].waiting.isEmpty {
                causes[attempts.count] = states[user].waiting.removeFirst()
            }
        case .signIn: break
        case .ordinary:
            if event.attempt > 0, calls[call].hasCarried { evidence.insert(.sentAgain) }
            if event.access != nil {
                if calls[call].isLater { evidence.insert(.callAfterChange) }
                calls[call].hasCarried = true
            }
            calls[call].isOrdinary = true
            let place = states[user].waiting.firstIndex { $0.address == event.address }
            if let place { states[user].waiting.remove(at: place) }
        }
        attempts.append(attempt)
    }

    private mutating func shows(_ token: Int) {
        let shown = history.tokens[token].user
        if let owner, owner != shown { evidence.insert(.secondSession) }
        owner = owner ?? shown
    }

    private mutating func ended(_ event: RaceEvent, at index: Int, of user: Int) {
        guard let call = event.call else { return }
        if event.meaning != .success { evidence.insert(.failure) }
        let position = open(event, call)
        if event.kind == .answered {
            answered(event, call, position.flatMap { attempts[$0].sent.access }, of: user)
        }
        guard let position else { return }
        attempts[position].ended = index
        attempts[position].status = event.status
        attempts[position].meaning = event.meaning
        attempts[position].broughtAccess = event.access
        attempts[position].broughtRefresh = event.refresh
        judge(position, of: user, at: Int64(index))
    }

    /// The attempt that an event ends, if it was sent and has not ended.
    private func open(_ event: RaceEvent, _ call: Int) -> Int? {
        guard let newest = calls[call].newest else { return nil }
        let position = attempts[...newest].lastIndex {
            $0.sent.call == call && $0.sent.attempt == event.attempt
        }
        return position.flatMap { attempts[$0].ended == nil ? $0 : nil }
    }

    /// Notes what a response shows; the request showed an access token.
    private mutating func answered(
        _ event: RaceEvent, _ call: Int, _ shown: Int?, of user: Int
    ) {
        switch event.role {
        case .refresh:
            evidence.insert(.refreshAnswer)
            if event.meaning == .success { evidence.insert(.refreshed) }
            if event.meaning == .signedOut { evidence.insert(.sessionEnd) }
            if let access = event.access { states[user].newest = access }
        case .signIn:
            guard event.meaning == .success else { return }
            evidence.insert(.secondSession)
            if let access = event.access { states[user].newest = access }
        case .ordinary:
            evidence.insert(.call)
            guard event.meaning == .expired else { return }
            evidence.insert(.refusal)
            guard let shown else { return }
            if let newest = states[user].newest, shown < newest { evidence.insert(.lateRefusal) }
            if let refused = calls[call].refused, refused != shown {
                evidence.insert(.refusedAgain)
            }
            calls[call].refused = calls[call].refused ?? shown
        }
    }

    /// True if two ordinary calls of one user were open at the same time.
    private var hasCallsAtOnce: Bool {
        mutating get {
            for event in history.events {
                guard let call = event.call, calls[call].isOrdinary else { continue }
                let isOpen = calls[call].isOpen
                switch event.kind {
                case .callBegan where !isOpen: calls[call].isOpen = true
                case .callEnded where isOpen, .callFailed where isOpen: calls[call].isOpen = false
                default: continue
                }
                let user = place(of: event.user)
                states[user].open += isOpen ? -1 : 1
                if states[user].open > 1 { return true }
            }
            return false
        }
    }

    /// Notes what the end of an attempt tells of its session's expiry.
    private mutating func judge(_ position: Int, of user: Int, at moment: Int64) {
        guard !abandoned.contains(position) else { return }
        let attempt = attempts[position]
        switch attempt.sent.role {
        case .refresh:
            // In place: a session that is taken out is copied.
            let (reason, loops) = states[user].session.ended(
                refresh(attempt, causes[position]), at: moment)
            attempts[position].reason = reason
            attempts[position].loop = Int(loops.longest)
            if attempt.meaning == .signedOut { states[user].waiting = [] }
        case .signIn:
            guard attempt.meaning == .success else { break }
            states[user].session.signedIn(at: moment)
            states[user].waiting = []
            abandon(user) { $0.isRefresh }
        case .ordinary: note(attempt, of: user, at: moment)
        }
        if attempt.sent.role != .ordinary, attempt.meaning == .success {
            states[user].session.got(
                access: attempt.broughtAccess.map(TokenNumber.init(place:)),
                refresh: attempt.broughtRefresh.map(TokenNumber.init(place:)),
                for: attempt.sent.refresh.map(TokenNumber.init(place:)))
        }
    }

    /// Notes what the response to a call tells of its token, or of the call's own story.
    private mutating func note(_ attempt: WireAttempt, of user: Int, at moment: Int64) {
        switch attempt.meaning {
        case .expired:
            var request = SessionExpiry.RefusedRequest(
                handedOverAt: Int64(attempt.sentIndex),
                access: attempt.sent.access.map(TokenNumber.init(place:)))
            request.call = attempt.sent.address
            request.step = states[user].steps
            _ = states[user].session.refused(request, at: moment)
            if !history.setting.tellsCauses {
                states[user].waiting.append((attempt.sent.address, attempt.sent.access))
            }
        case .success, .refused, .signedOut: states[user].session.succeeded(attempt.sent.address)
        case .failure, .none?, nil: break
        }
    }

    private func refresh(
        _ attempt: WireAttempt, _ guess: Waiting?
    ) -> SessionExpiry.EndedRefresh {
        let cause = attempt.sent.refreshFor
        var refresh = SessionExpiry.EndedRefresh(
            handedOverAt: Int64(attempt.sentIndex), isPrompted: cause != nil || guess != nil,
            RenewalEnding(attempt.meaning ?? .none))
        refresh.refused = guess?.token.map(TokenNumber.init(place:))
        if cause != nil {
            let refused = attempts.lastIndex {
                $0.sent.user == attempt.sent.user && $0.sent.request == cause
                    && $0.meaning == .expired
            }
            let token = refused.flatMap { attempts[$0].sent.access }
            refresh.refused = token.map(TokenNumber.init(place:))
        }
        refresh.access = attempt.sent.access.map(TokenNumber.init(place:))
        refresh.refresh = attempt.sent.refresh.map(TokenNumber.init(place:))
        return refresh
    }

    private mutating func restart(_ user: Int) {
        // In a drill each start of the app is a user of its own.
        guard history.setting.tellsCauses else { return }
        states[user].session = SessionExpiry()
        abandon(user) { _ in true }
    }

    /// Whoever sent a user's open attempts does not heed their ends any more.
    private mutating func abandon(_ user: Int, where isMeant: (WireAttempt) -> Bool) {
        let sender = users.all[user]
        abandoned.formUnion(
            attempts.indices.filter {
                attempts[$0].ended == nil && attempts[$0].sent.user == sender
                    && isMeant(attempts[$0])
            })
    }
}

/// One attempt, from leaving the device until its end there, with what invariants ask of it.
public struct WireAttempt: Sendable {
    /// The event at which the client handed it over.
    public let sent: RaceEvent
    /// The position of that event.
    public let sentIndex: Int
    /// The position of its end on the device.
    public internal(set) var ended: Int?
    /// The status of the response; `nil` without one.
    public internal(set) var status: Int?
    /// The meaning of the response, by the rules of the service.
    public internal(set) var meaning: AnswerMeaning?
    /// The access token that the response brought.
    public internal(set) var broughtAccess: Int?
    /// The refresh token that the response brought.
    public internal(set) var broughtRefresh: Int?
    /// The access token that a refresh is to replace: the one it shows, or the one that the app
    /// stores when it is handed over.
    public internal(set) var replaces: Int?
    /// Why that token's expiry needed the refresh, or that it did not; `nil` for any other call.
    public internal(set) var reason: SessionExpiry.Reason?
    /// How often the call for which it was made has been refreshed, when that is a loop; else 0.
    public internal(set) var loop = 0

    /// True for a call that asks for new tokens.
    public var isRefresh: Bool { sent.role == .refresh }
}

extension History {
    /// The refreshes of a user, in order.
    public func refreshes(of user: Int) -> [WireAttempt] {
        attempts.filter { $0.isRefresh && $0.sent.user == user }
    }

    /// The positions of a user's events of some kinds.
    public func indices(of user: Int, _ kinds: RaceEvent.Kind...) -> [Int] {
        events.indices.filter { events[$0].user == user && kinds.contains(events[$0].kind) }
    }
}

/// Names an attempt of a call of a user.
public struct AttemptKey: Hashable, Sendable {
    let user: Int
    let request: Int
    let attempt: Int

    /// Hashes one word, which tells nearly all apart: three take three times as long.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(user &* 0x1_0000_01B3 &+ request &* 0x1_0001 &+ attempt)
    }
}

extension RaceEvent {
    /// The attempt it concerns; -1 for a call that has no number.
    public var key: AttemptKey { AttemptKey(user: user, request: request ?? -1, attempt: attempt) }

    /// The action it concerns.
    var act: AttemptKey { AttemptKey(user: user, request: -1, attempt: attempt) }
}

extension RenewalEnding {
    /// The end of a renewal, by the meaning of its response.
    public init(_ meaning: AnswerMeaning) {
        self =
            switch meaning {
            case .success: .succeeded
            case .signedOut: .refused
            case .none: .lost
            case .failure, .expired, .refused: .failed
            }
    }
}
