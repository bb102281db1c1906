/// What usually repairs a client that breaks a promise.
///
/// The cure belongs to the rule or the expectation that broke; a drill whose own topic is that rule
/// has a better one.
enum DrillCure {
    /// The cure of a finding in a drill.
    static func cure(of violation: Violation, in drill: Drill) -> String {
        let topic = violation.cure == staysSignedIn ? "session" : violation.cause
        if drill.topics.contains(topic) { return drill.cure }
        return violation.cure ?? rules[violation.cause] ?? drill.cure
    }

    /// For a person who is no longer signed in, although the session goes on.
    static let staysSignedIn = """
        Delete the tokens only when the server rejects the refresh token itself. A 5xx, a timeout, \
        a cancellation or a locked keychain is not a rejection.
        """

    /// For each cause of a rule of all drills.
    private static let rules = [
        "endless": """
        Limit the work for one call to one refresh and one retry with the new token. If the retry \
        is rejected, fail the call with the server's error.
        """,
        "hang": """
        End the call on every path: a refresh that fails or is cancelled must end the calls that \
        wait for it. A refresh must not need a slot that waiting calls occupy.
        """,
        "again": """
        Keep the refresh that is in flight and let every call that needs one wait for it. Read the \
        refresh token when the exchange starts and replace it with the new one.
        """,
        "late": """
        Remember which token each call was sent with. If it is rejected and the current token is a \
        different one, retry with that, without a refresh.
        """,
        "left": """
        Number each sign-in and discard work that was started under an earlier one: calls, \
        refreshes, timers. Delete the tokens before the sign-out returns.
        """,
        "other user": """
        Tie each call, refresh and timer to the sign-in it was started under, and never send it \
        with another user's tokens.
        """,
        "no token": "A call that needs a token waits for one or fails without being sent.",
        "completions": "Remove a completion handler from its list before you call it.",
        "lost": """
        Retry a call that was rejected for an old token with the new one, also when another call's \
        refresh fetched it.
        """,
        "body": """
        Keep the data of a write until it has ended and build each request from it. Reopen a \
        stream for the retry.
        """,
    ]
}
