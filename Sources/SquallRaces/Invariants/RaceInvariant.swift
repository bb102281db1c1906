/// A promise that a client keeps in every order of events.
///
/// A new one is one type and one line in ``RaceInvariants``, or a ``ClosureInvariant`` in a test.
public protocol RaceInvariant: Sendable {
    /// A short name: `S1` for safety, `L1` for liveness.
    var id: String { get }
    /// A descriptive name: `singleFlight`.
    var name: String { get }
    /// The promise in a sentence.
    var claim: String { get }
    /// What a run has to show to be judged; without it the promise was neither kept nor broken.
    var needs: Evidence { get }
    /// Where the promise comes from.
    var source: String { get }

    /// The places where a run breaks it.
    func violations(in history: History) -> [Violation]
}

extension RaceInvariant {
    /// A violation of this one; a kind of it may have a fix of its own.
    func violation(
        _ text: String, user: Int, cause: String = "", kind: String = "", events: [Int] = []
    ) -> Violation {
        Violation(
            id, text, user: user, cause: cause, events: events,
            fix: DrillFix.fix(of: id, kind))
    }
}

/// An invariant that is a function.
public struct ClosureInvariant: RaceInvariant {
    /// A short name.
    public let id: String
    /// The short name: a test's invariant has no other.
    public var name: String { id }
    /// The promise in a sentence.
    public let claim: String
    /// What a run has to show to be judged.
    public let needs: Evidence
    /// Where the promise comes from.
    public let source = "the test that brings it"
    private let body: @Sendable (History) -> [Violation]

    /// An invariant that a function judges; the function says what is wrong and with which events.
    public init(
        _ id: String, _ claim: String, needs: Evidence = [],
        _ body: @escaping @Sendable (History) -> [(text: String, events: [Int])]
    ) {
        self.id = id
        self.claim = claim
        self.needs = needs
        self.body = { history in
            body(history).map { text, events in
                Violation(
                    id, text, user: events.first.map { history.events[$0].user } ?? 0,
                    events: events)
            }
        }
    }

    /// The function's result.
    public func violations(in history: History) -> [Violation] { body(history) }
}

/// The invariants that can be asked for by name, one line each.
public enum RaceInvariants {
    /// All of them: safety, then liveness.
    public static let all: [any RaceInvariant] = [
        SingleFlight(), NoKnownDeadToken(), RefreshIsNeeded(), StaleRefusalRefreshesNothing(),
        AtomicPair(), NoZombie(), NoFalseSignOut(), NoReuse(), BoundedReplay(), WritesOnce(),
        BoundedRetries(), Isolation(), CompletionsOnce(), WholeList(), NoEarlyRefresh(),
        NoSecretsInNames(), BoundedWaiters(), NeverAnonymous(), TrueScreens(), SpreadRefreshes(),
        RefusalIsFollowedUp(), EverythingEnds(), NoRefreshLoop(), OneSignOut(),
        WaitersGoOn(), RecoversFromKill(), CalmsDown(),
    ]

    /// The invariants for every client whose scenario names no others: one refresh for an expiry,
    /// no user signed out by mistake, no refresh token shown twice.
    public static let standing = ["S1", "S7", "S8"]

    /// The invariant of an identifier or a name.
    public static func named(_ word: String) -> (any RaceInvariant)? {
        all.first { $0.id == word || $0.name == word }
    }
}
