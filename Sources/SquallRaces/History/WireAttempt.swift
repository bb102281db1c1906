public import SquallBackend

/// One send of a call, from the device's hand and back, with what invariants ask of it.
public struct WireAttempt: Sendable {
    /// What was handed over.
    public let sent: RaceEvent
    /// The position of that event.
    public let sentIndex: Int
    /// The positions of the server's replies; two when the network doubled it.
    public internal(set) var served: [Int] = []
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

    /// Whether it asks for new tokens.
    public var isRefresh: Bool { sent.role == .refresh }
}

extension History {
    /// Every send among some events, in the order in which they were handed over.
    static func attempts(in events: [RaceEvent]) -> [WireAttempt] {
        var attempts: [WireAttempt] = []
        var open: [AttemptKey: Int] = [:]
        for (index, event) in events.enumerated() where event.request != nil {
            let key = event.key
            switch event.kind {
            case .sent:
                open[key] = attempts.count
                attempts.append(WireAttempt(sent: event, sentIndex: index))
            case .served:
                if let position = open[key] { attempts[position].served.append(index) }
            case .answered, .unanswered:
                guard let position = open[key] else { continue }
                attempts[position].ended = index
                attempts[position].status = event.status
                attempts[position].meaning = event.meaning
                attempts[position].broughtAccess = event.access
                attempts[position].broughtRefresh = event.refresh
            default: continue
            }
        }
        return attempts
    }

    /// The refreshes of a user, in order.
    public func refreshes(of user: Int) -> [WireAttempt] {
        attempts.filter { $0.isRefresh && $0.sent.user == user }
    }

    /// The positions of a user's events of some kinds.
    public func indices(of user: Int, _ kinds: RaceEvent.Kind...) -> [Int] {
        events.indices.filter { events[$0].user == user && kinds.contains(events[$0].kind) }
    }
}

/// Which send of which call of which user.
struct AttemptKey: Hashable {
    let user: Int
    let request: Int
    let attempt: Int
}

extension RaceEvent {
    /// The send that it is about; of a call that has no number, -1.
    var key: AttemptKey { AttemptKey(user: user, request: request ?? -1, attempt: attempt) }
}
