/// A promise that a client keeps or breaks in its requests alone.
public struct LivePromise: Hashable, Sendable {
    /// A short name: `S1`.
    public let id: String
    /// A descriptive name: `singleFlight`.
    public let name: String
    /// The promise in a sentence.
    public let claim: String

    private init(_ id: String, _ name: String, _ claim: String) {
        self.id = id
        self.name = name
        self.claim = claim
    }

    private init(_ invariant: any RaceInvariant) {
        self.init(invariant.id, invariant.name, invariant.claim)
    }

    static let singleFlight = LivePromise(SingleFlight())
    static let noKnownDeadToken = LivePromise(NoKnownDeadToken())
    static let refreshIsNeeded = LivePromise(RefreshIsNeeded())
    static let staleRefusal = LivePromise(StaleRefusalRefreshesNothing())
    static let noZombie = LivePromise(NoZombie())
    static let noReuse = LivePromise(NoReuse())
    static let writesOnce = LivePromise(WritesOnce())
    static let isolation = LivePromise(Isolation())
    static let wholeList = LivePromise(WholeList())
    static let noEarlyRefresh = LivePromise(NoEarlyRefresh())
    static let boundedWaiters = LivePromise(BoundedWaiters())
    static let neverAnonymous = LivePromise(NeverAnonymous())
    static let pausedRetries = LivePromise(
        "S21", "pausedRetries",
        "A failed call is not retried immediately, nor before the time in Retry-After.")
    static let noRefreshLoop = LivePromise(NoRefreshLoop())
    static let oneSignOut = LivePromise(OneSignOut())
    static let waitersGoOn = LivePromise(WaitersGoOn())

    /// The promises that a ``LiveJudge`` judges, safety first.
    public static let judged = [
        singleFlight, noKnownDeadToken, refreshIsNeeded, staleRefusal, noZombie, noReuse,
        writesOnce, isolation, wholeList, noEarlyRefresh, boundedWaiters, neverAnonymous,
        pausedRetries, noRefreshLoop, oneSignOut, waitersGoOn,
    ]

    /// The promises that only live traffic is judged by.
    static let onlyLive = judged.filter { promise in
        !RaceInvariants.all.contains { $0.id == promise.id }
    }

    /// The promises of explorations that no request can show: they need the app's store, screens,
    /// callers or life.
    public static let notJudged = RaceInvariants.all.map(LivePromise.init).filter { promise in
        !judged.contains { $0.id == promise.id }
    }
}

/// What was made of a promise so far.
public struct LiveVerdict: Hashable, Sendable {
    /// The promise.
    public let promise: LivePromise
    /// The answer.
    public let outcome: Outcome

    /// The three answers.
    public enum Outcome: Hashable, Sendable {
        /// It was put to the test, and nothing contradicted it.
        case kept
        /// It was broken this many times.
        case broken(Int)
        /// Nothing happened that could have broken it.
        case notObserved
    }
}
