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
    private let history: History
    private var open: [AttemptKey: Int] = [:]
    private var sessions: [Int: SessionExpiry] = [:]
    /// The access tokens that apps store.
    private var kept: [Int: Int] = [:]
    /// How many actions users have begun.
    private var steps: [Int: UInt32] = [:]
    /// The attempts of apps that were killed before they ended.
    private var abandoned: Set<Int> = []
    /// How often each user's store has changed; the first change is the app's initial state.
    private var changes: [Int: Int] = [:]
    /// Calls that began after their user's store had changed.
    private var later: Set<AttemptKey> = []
    /// The newest access token that each device has got.
    private var newest: [Int: Int] = [:]
    /// The ordinary calls; true as soon as one has carried a token.
    private var ordinary: [AttemptKey: Bool] = [:]
    /// The tokens that each call was refused with.
    private var refused: [AttemptKey: Set<Int>] = [:]
    /// Each user's refused calls that have not come again, and the one that a refresh is taken to
    /// be for, by its position; where refreshes tell their causes, both are empty.
    private var waiting: [Int: [Waiting]] = [:]
    private var causes: [Int: Waiting] = [:]
    /// The users whose tokens were shown.
    private var owners: Set<Int> = []

    private typealias Waiting = (address: UInt64, token: Int?)

    /// The number of users that make a crowd.
    static let crowdMin = 8

    init(_ history: History) {
        (self.history, evidence) = (history, history.seen)
        if history.setting.isRotating { evidence.insert(.rotation) }
        if history.setting.users >= Self.crowdMin { evidence.insert(.crowd) }
        for (index, event) in history.events.enumerated() { read(event, at: index) }
        for position in attempts.indices
        where attempts[position].isRefresh && attempts[position].ended == nil {
            judge(position, at: .max)
        }
        if owners.count > 1 { evidence.insert(.secondSession) }
        if hasCallsAtOnce { evidence.insert(.secondCall) }
    }

    private mutating func read(_ event: RaceEvent, at index: Int) {
        switch event.kind {
        case .sent: sent(event, at: index)
        case .answered, .unanswered: ended(event, at: index)
        case .served: if event.isWriteDone { evidence.insert(.write) }
        case .stored: stored(event)
        case .erased: kept[event.user] = nil
        case .callBegan: if changes[event.user, default: 0] > 1 { later.insert(event.call) }
        case .leaves: evidence.insert(.leaving)
        case .actBegan:
            steps[event.user, default: 0] += 1
            if history.setting.hasFaults, event.at >= history.setting.calmFrom {
                evidence.insert(.calm)
            }
        case .actEnded: evidence.insert(.action)
        case .restarted:
            evidence.insert(.comeBack)
            restart(event.user)
        case .cameBack: evidence.insert(.comeBack)
        default: return
        }
    }

    private mutating func stored(_ event: RaceEvent) {
        kept[event.user] = event.access
        guard event.access != nil || event.refresh != nil else { return }
        evidence.insert(.store)
        changes[event.user, default: 0] += 1
        if changes[event.user, default: 0] > 1 { evidence.insert(.storeChange) }
    }

    private mutating func sent(_ event: RaceEvent, at index: Int) {
        guard event.request != nil else { return }
        open[event.key] = attempts.count
        var attempt = WireAttempt(sent: event, sentIndex: index)
        for case let token? in [event.access, event.refresh] {
            owners.insert(history.tokens[token].user)
        }
        switch event.role {
        case .refresh:
            attempt.replaces = event.access ?? kept[event.user]
            evidence.insert(.refresh)
            if attempt.replaces != nil { evidence.insert(.replacement) }
            if event.refresh != nil { evidence.insert(.refreshToken) }
            if waiting[event.user]?.isEmpty == false {
                causes[attempts.count] = waiting[event.user]?.removeFirst()
            }
        case .signIn: break
        case .ordinary:
            let hasCarried = ordinary[event.call] == true
            if event.attempt > 0, hasCarried { evidence.insert(.sentAgain) }
            if event.access != nil, later.contains(event.call) { evidence.insert(.callAfterChange) }
            ordinary[event.call] = hasCarried || event.access != nil
            let place = waiting[event.user]?.firstIndex { $0.address == event.address }
            if let place { waiting[event.user]?.remove(at: place) }
        }
        attempts.append(attempt)
    }

    private mutating func ended(_ event: RaceEvent, at index: Int) {
        guard event.request != nil else { return }
        if event.meaning != .success { evidence.insert(.failure) }
        let position = open.removeValue(forKey: event.key)
        if event.kind == .answered {
            answered(event, position.flatMap { attempts[$0].sent.access })
        }
        guard let position else { return }
        attempts[position].ended = index
        attempts[position].status = event.status
        attempts[position].meaning = event.meaning
        attempts[position].broughtAccess = event.access
        attempts[position].broughtRefresh = event.refresh
        judge(position, at: Int64(index))
    }

    /// Notes what a response shows; the request showed an access token.
    private mutating func answered(_ event: RaceEvent, _ shown: Int?) {
        switch event.role {
        case .refresh:
            evidence.insert(.refreshAnswer)
            if event.meaning == .success { evidence.insert(.refreshed) }
            if event.meaning == .signedOut { evidence.insert(.sessionEnd) }
            if let access = event.access { newest[event.user] = access }
        case .signIn:
            guard event.meaning == .success else { return }
            evidence.insert(.secondSession)
            if let access = event.access { newest[event.user] = access }
        case .ordinary:
            evidence.insert(.call)
            guard event.meaning == .expired else { return }
            evidence.insert(.refusal)
            guard let shown else { return }
            if shown < newest[event.user, default: shown] { evidence.insert(.lateRefusal) }
            refused[event.call, default: []].insert(shown)
            if refused[event.call, default: []].count > 1 { evidence.insert(.refusedAgain) }
        }
    }

    /// True if two ordinary calls of one user were open at the same time.
    private var hasCallsAtOnce: Bool {
        var open: [Int: Set<Int>] = [:]
        for event in history.events {
            guard let request = event.request else { continue }
            switch event.kind {
            case .callBegan where ordinary[event.call] != nil:
                open[event.user, default: []].insert(request)
                if open[event.user, default: []].count > 1 { return true }
            case .callEnded, .callFailed: open[event.user]?.remove(request)
            default: continue
            }
        }
        return false
    }

    /// Notes what the end of an attempt tells of its session's expiry.
    private mutating func judge(_ position: Int, at moment: Int64) {
        guard !abandoned.contains(position) else { return }
        let attempt = attempts[position]
        let user = attempt.sent.user
        switch attempt.sent.role {
        case .refresh:
            // In place: a session that is taken out is copied.
            let (reason, loops) = sessions[user, default: SessionExpiry()].ended(
                refresh(attempt, causes[position]), at: moment)
            attempts[position].reason = reason
            attempts[position].loop = Int(loops.longest)
            if attempt.meaning == .signedOut { waiting[user] = nil }
        case .signIn:
            guard attempt.meaning == .success else { break }
            sessions[user, default: SessionExpiry()].signedIn(at: moment)
            waiting[user] = nil
            abandon(user) { $0.isRefresh }
        case .ordinary: note(attempt, at: moment)
        }
        if attempt.sent.role != .ordinary, attempt.meaning == .success {
            sessions[user, default: SessionExpiry()].got(
                access: attempt.broughtAccess.map(TokenNumber.init(place:)),
                refresh: attempt.broughtRefresh.map(TokenNumber.init(place:)),
                for: attempt.sent.refresh.map(TokenNumber.init(place:)))
        }
    }

    /// Notes what the response to a call tells of its token, or of the call's own story.
    private mutating func note(_ attempt: WireAttempt, at moment: Int64) {
        let user = attempt.sent.user
        switch attempt.meaning {
        case .expired:
            var request = SessionExpiry.RefusedRequest(
                handedOverAt: Int64(attempt.sentIndex),
                access: attempt.sent.access.map(TokenNumber.init(place:)))
            request.call = attempt.sent.address
            request.step = steps[user] ?? 0
            _ = sessions[user, default: SessionExpiry()].refused(request, at: moment)
            if !history.setting.tellsCauses {
                waiting[user, default: []].append((attempt.sent.address, attempt.sent.access))
            }
        case .success, .refused, .signedOut: sessions[user]?.succeeded(attempt.sent.address)
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
            let refused = attempts.last {
                $0.sent.user == attempt.sent.user && $0.sent.request == cause
                    && $0.meaning == .expired
            }
            refresh.refused = refused?.sent.access.map(TokenNumber.init(place:))
        }
        refresh.access = attempt.sent.access.map(TokenNumber.init(place:))
        refresh.refresh = attempt.sent.refresh.map(TokenNumber.init(place:))
        return refresh
    }

    private mutating func restart(_ user: Int) {
        // In a drill each start of the app is a user of its own.
        guard history.setting.tellsCauses else { return }
        sessions[user] = nil
        abandon(user) { _ in true }
    }

    /// Whoever sent a user's open attempts does not heed their ends any more.
    private mutating func abandon(_ user: Int, where isMeant: (WireAttempt) -> Bool) {
        abandoned.formUnion(
            open.values.filter { attempts[$0].sent.user == user && isMeant(attempts[$0]) })
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
public struct AttemptKey: Hashable, Comparable, Sendable {
    let user: Int
    let request: Int
    let attempt: Int

    /// Hashes one word, which tells nearly all apart: three take three times as long.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(user &* 0x1_0000_01B3 &+ request &* 0x1_0001 &+ attempt)
    }

    /// The order by user, call and attempt.
    public static func < (left: AttemptKey, right: AttemptKey) -> Bool {
        (left.user, left.request, left.attempt) < (right.user, right.request, right.attempt)
    }
}

extension RaceEvent {
    /// The attempt it concerns; -1 for a call that has no number.
    public var key: AttemptKey { AttemptKey(user: user, request: request ?? -1, attempt: attempt) }

    /// The call it concerns, without the attempt.
    var call: AttemptKey { AttemptKey(user: user, request: request ?? -1, attempt: 0) }

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
