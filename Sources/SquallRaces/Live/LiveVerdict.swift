extension RaceInvariant {
    /// A promise that only live traffic shows.
    static let pausedRetries = RaceInvariant(
        "S21", "pausedRetries",
        "A failed call is not retried immediately, nor before the time in Retry-After.",
        needs: [.failure], source: "RFC 6585 §4; RFC 9110 §10.2.3"
    ) { _, _ in [] }
}

extension LiveJudge {
    /// The promises that it judges, safety first.
    static let promises: [RaceInvariant] = [
        .singleFlight, .noKnownDeadToken, .refreshIsNeeded, .staleRefusal, .noZombie, .noReuse,
        .writesOnce, .isolation, .wholeList, .noEarlyRefresh, .boundedWaiters, .neverAnonymous,
        .pausedRetries, .noRefreshLoop, .oneSignOut, .waitersGoOn,
    ]

    /// The promises that only live traffic is judged by.
    static let ownPromises = promises.filter { !RaceInvariant.all.contains($0) }

    /// The promises of explorations that no request can show: they need the app's store, screens,
    /// callers or life.
    public static let unjudgedPromises = RaceInvariant.all.filter { !promises.contains($0) }
}

/// What was made of a promise so far.
public struct LiveVerdict: Hashable, Sendable {
    /// The promise.
    public let promise: RaceInvariant
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
