public import SquallBackend

/// Reads the attempts out of the events of a run, and the reason of each refresh among them.
///
/// ``SquallBackend/SessionExpiry`` decides the reason; the moments are positions of events. A
/// refresh without an end is decided last, unless its app was killed: no code waits for that one.
public struct AttemptReader {
    /// Every attempt, in the order of handing over.
    private(set) var attempts: [WireAttempt] = []
    private var open: [AttemptKey: Int] = [:]
    private var sessions: [Int: SessionExpiry] = [:]
    /// The access tokens that apps store.
    private var kept: [Int: Int] = [:]
    /// How many actions users have begun.
    private var steps: [Int: UInt32] = [:]
    /// The attempts of apps that were killed before they ended.
    private var abandoned: Set<Int> = []

    /// The text of the event of an app that was killed.
    public static let restart = "the app starts again"
    /// The text of the event of an app that was in the background.
    public static let comeBack = "the app comes back"

    init(_ history: History) {
        for (index, event) in history.events.enumerated() {
            switch event.kind {
            case .stored: kept[event.user] = event.access
            case .erased: kept[event.user] = nil
            case .actBegan: steps[event.user, default: 0] += 1
            case .meanwhile where history.name(event.text) == Self.restart: restart(event.user)
            default: if event.request != nil { read(event, at: index) }
            }
        }
        for position in attempts.indices
        where attempts[position].isRefresh && attempts[position].ended == nil {
            judge(position, at: .max)
        }
    }

    private mutating func read(_ event: RaceEvent, at index: Int) {
        switch event.kind {
        case .sent:
            open[event.key] = attempts.count
            var attempt = WireAttempt(sent: event, sentIndex: index)
            if attempt.isRefresh { attempt.replaces = event.access ?? kept[event.user] }
            attempts.append(attempt)
        case .answered, .unanswered:
            guard let position = open[event.key] else { return }
            attempts[position].ended = index
            attempts[position].status = event.status
            attempts[position].meaning = event.meaning
            attempts[position].broughtAccess = event.access
            attempts[position].broughtRefresh = event.refresh
            judge(position, at: Int64(index))
        default: return
        }
    }

    /// Notes what the end of an attempt says of its session's expiry.
    private mutating func judge(_ position: Int, at moment: Int64) {
        guard !abandoned.contains(position) else { return }
        let attempt = attempts[position]
        var session = sessions[attempt.sent.user] ?? SessionExpiry()
        switch attempt.sent.role {
        case .refresh:
            let (reason, loops) = session.ended(refresh(attempt), at: moment)
            attempts[position].reason = reason
            attempts[position].loop = Int(loops.longest)
        case .signIn:
            if attempt.meaning == .success { session.signedIn(at: moment) }
        case .ordinary:
            note(attempt, in: &session, at: moment)
        }
        if attempt.sent.role != .ordinary, attempt.meaning == .success {
            session.got(
                access: attempt.broughtAccess.map(TokenNumber.init(place:)),
                refresh: attempt.broughtRefresh.map(TokenNumber.init(place:)),
                for: attempt.sent.refresh.map(TokenNumber.init(place:)))
        }
        sessions[attempt.sent.user] = session
    }

    /// Notes what the answer to a call says of its token, or of the call's own story.
    private func note(
        _ attempt: WireAttempt, in session: inout SessionExpiry, at moment: Int64
    ) {
        switch attempt.meaning {
        case .expired:
            var request = SessionExpiry.RefusedRequest(
                handedOverAt: Int64(attempt.sentIndex),
                access: attempt.sent.access.map(TokenNumber.init(place:)))
            request.call = attempt.sent.address
            request.step = steps[attempt.sent.user] ?? 0
            _ = session.refused(request, at: moment)
        case .success, .refused, .signedOut: session.succeeded(attempt.sent.address)
        case .failure, .none?, nil: break
        }
    }

    private func refresh(_ attempt: WireAttempt) -> SessionExpiry.EndedRefresh {
        var refresh = SessionExpiry.EndedRefresh(
            handedOverAt: Int64(attempt.sentIndex), isPrompted: attempt.sent.refreshFor != nil,
            attempt.meaning ?? .none)
        let refused = attempts.last {
            $0.sent.user == attempt.sent.user && $0.sent.request == attempt.sent.refreshFor
                && $0.meaning == .expired
        }
        refresh.refused =
            refresh.isPrompted ? refused?.sent.access.map(TokenNumber.init(place:)) : nil
        refresh.access = attempt.sent.access.map(TokenNumber.init(place:))
        refresh.refresh = attempt.sent.refresh.map(TokenNumber.init(place:))
        return refresh
    }

    private mutating func restart(_ user: Int) {
        sessions[user] = nil
        abandoned.formUnion(
            attempts.indices.filter {
                attempts[$0].sent.user == user && attempts[$0].ended == nil
            })
    }
}

/// One attempt, from leaving the device until its end there, with what invariants ask of it.
public struct WireAttempt: Sendable {
    /// What was handed over.
    public let sent: RaceEvent
    /// The position of that event.
    public let sentIndex: Int
    /// The position of its end on the device.
    public internal(set) var ended: Int?
    /// The answer's status.
    public internal(set) var status: Int?
    /// What the answer means.
    public internal(set) var meaning: AnswerMeaning?
    /// The access token that the answer brought.
    public internal(set) var broughtAccess: Int?
    /// The refresh token that the answer brought.
    public internal(set) var broughtRefresh: Int?
    /// The access token that a refresh is to replace: the one it shows, or the one that the app
    /// stores when it is handed over.
    public internal(set) var replaces: Int?
    /// Whether that token's expiry needed the refresh; `nil` for any other call.
    public internal(set) var reason: SessionExpiry.Reason?
    /// How often the call for which it was made has been refreshed, when that is a loop; else 0.
    public internal(set) var loop = 0

    /// Whether it asks for new tokens.
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
public struct AttemptKey: Hashable, Comparable {
    let user: Int
    let request: Int
    let attempt: Int

    /// Hashes one word, which tells nearly all apart: three take three times as long.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(user &* 0x1_0000_01B3 &+ request &* 0x1_0001 &+ attempt)
    }

    /// By user, call and attempt.
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
