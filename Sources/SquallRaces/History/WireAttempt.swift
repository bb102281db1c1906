public import SquallBackend

/// One attempt, from leaving the device until its end there, with what invariants ask of it.
public struct WireAttempt: Sendable {
    /// What was handed over.
    public let sent: RaceEvent
    /// The position of that event.
    public let sentIndex: Int
    /// The positions of the server's replies; two when the network duplicated the request.
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
