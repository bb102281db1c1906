/// A promise that a client keeps in every order of events.
///
/// A new one is a static value and its name in ``all``; a test brings its own with
/// ``init(_:_:needs:_:)``.
public struct RaceInvariant: Hashable, Sendable {
    /// A short name: `S1` for safety, `L1` for liveness.
    public let id: String
    /// A descriptive name: `singleFlight`; a test's invariant has no other than the short one.
    public let name: String
    /// The promise in a sentence.
    public let claim: String
    /// What usually repairs a client that breaks it; `nil` for a promise of a test's own.
    public let fix: String?
    /// The evidence that a run has to show to be judged; without it the promise was neither kept
    /// nor broken.
    public let needs: Evidence
    private let judge: @Sendable (RaceInvariant, History) -> [Violation]

    init(
        _ id: String, _ name: String, _ claim: String, fix: String? = nil, needs: Evidence,
        judge: @escaping @Sendable (RaceInvariant, History) -> [Violation]
    ) {
        (self.id, self.name, self.claim, self.fix) = (id, name, claim, fix)
        (self.needs, self.judge) = (needs, judge)
    }

    /// An invariant that a function judges; the function says what is wrong and with which events.
    public init(
        _ id: String, _ claim: String, needs: Evidence = [],
        _ judge: @escaping @Sendable (History) -> [(text: String, events: [Int])]
    ) {
        self.init(id, id, claim, needs: needs) { rule, history in
            judge(history).map { text, events in
                rule.violation(
                    text, user: events.first.map { history.events[$0].user } ?? 0, events: events)
            }
        }
    }

    /// The places where a run breaks it.
    public func violations(in history: History) -> [Violation] { judge(self, history) }

    /// A violation of this invariant; a kind of violation may have a fix of its own.
    func violation(
        _ text: String, user: Int = 0, cause: String = "", fix: String? = nil, events: [Int] = []
    ) -> Violation {
        Violation(id, text, user: user, cause: cause, events: events, fix: fix ?? self.fix)
    }

    /// True for equal identifiers, each of which one invariant has.
    public static func == (left: RaceInvariant, right: RaceInvariant) -> Bool {
        left.id == right.id
    }

    /// Hashes the identifier.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension RaceInvariant {
    /// The invariants that can be asked for by name: safety, then liveness.
    public static let all: [RaceInvariant] = [
        singleFlight, noKnownDeadToken, refreshIsNeeded, staleRefusal, atomicPair, noZombie,
        noFalseSignOut, noReuse, boundedReplay, writesOnce, boundedRetries, isolation,
        completionsOnce, wholeList, noEarlyRefresh, noSecrets, boundedWaiters, neverAnonymous,
        trueScreens, spreadRefreshes, refusalIsFollowedUp, everythingEnds, noRefreshLoop,
        oneSignOut, waitersGoOn, recoversFromKill, calmsDown, expiryIsFollowedUp,
    ]

    /// The invariants for every client whose scenario names no others, by identifier: one refresh
    /// for an expiry, no user signed out by mistake, no refresh token shown twice.
    public static let standing = ["S1", "S7", "S8"]

    /// The invariant of an identifier or a name.
    public static func named(_ word: String) -> RaceInvariant? {
        all.first { $0.id == word || $0.name == word }
    }
}
