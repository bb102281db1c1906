extension RaceInvariant {
    /// A promise that only live traffic shows.
    ///
    /// From RFC 6585 §4; RFC 9110 §10.2.3; x/oauth2 0.3.0.
    static let pausedRetries = RaceInvariant(
        "S21", "pausedRetries",
        "A failed call is not retried immediately, nor before the time in Retry-After, nor without"
            + " end at one interval.",
        fix: """
            Wait before each retry, longer each time, with jitter and a limit, and at least as \
            long as Retry-After says.
            """, needs: [.failure]
    ) { _, _ in [] }

    /// Judged in live traffic only: a client of a simulation stores what it gets.
    ///
    /// From RFC 6749 §5.1, §5.2.
    static let issuedTokens = RaceInvariant(
        "S22", "issuedTokens",
        "No request shows a word, or a token of the other kind, in place of its token.",
        fix: """
            Check the response to a sign-in or refresh for the token before you store it, whatever \
            its status; without one the call fails.
            """, needs: [.call]
    ) { _, _ in [] }

    /// A promise that drills judge, too, by comparing bodies byte by byte.
    ///
    /// From OkHttp 3.13; abs-cli #89.
    static let wholeBodies = RaceInvariant(
        "S23", "wholeBodies", "A write that is sent again after a refusal keeps its body.",
        fix: Fix.body, needs: [.write]
    ) { _, _ in [] }
}

extension LiveJudge {
    /// The promises that it judges, safety first.
    static let promises: [RaceInvariant] = [
        .singleFlight, .noKnownDeadToken, .refreshIsNeeded, .staleRefusal, .noZombie,
        .noFalseSignOut, .noReuse, .writesOnce, .isolation, .wholeList, .noEarlyRefresh,
        .boundedWaiters, .neverAnonymous, .pausedRetries, .issuedTokens, .wholeBodies,
        .noRefreshLoop, .oneSignOut, .waitersGoOn, .expiryIsFollowedUp,
    ]

    /// The promises that only live traffic is judged by.
    static let ownPromises = promises.filter { !RaceInvariant.all.contains($0) }

    /// The promises of explorations that no request can show: they need the app's store, screens,
    /// callers or life.
    public static let unjudgedPromises = RaceInvariant.all.filter { !promises.contains($0) }
}

/// The judgement on a promise so far.
public struct LiveVerdict: Hashable, Sendable {
    /// The promise that was judged.
    public let promise: RaceInvariant
    /// The judgement on it.
    public let outcome: Outcome

    /// The verdict with changed text, as where words of a path are hidden.
    public func rewritten(_ text: (String) -> String) -> LiveVerdict {
        guard case .notJudged(let why) = outcome else { return self }
        return LiveVerdict(promise: promise, outcome: .notJudged(text(why)))
    }

    /// The judgements.
    public enum Outcome: Hashable, Sendable {
        /// An event could have broken it, and none did.
        case kept
        /// It was broken this many times.
        case broken(Int)
        /// It cannot be told whether a right client does so, for this reason.
        case notJudged(String)
        /// No event could have broken it.
        case notObserved
    }
}
