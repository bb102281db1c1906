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
        Forget the tokens only when the server has refused the refresh token itself. A 5xx, a \
        timeout, a cancellation or a locked storage is no refusal.
        """

    /// For each cause of a rule of all drills.
    private static let rules = [
        "endless": """
        Bound what is done for one call: one refresh, and one repeat with the token that it \
        has brought. What is refused then fails with what the server said.
        """,
        "hang": """
        Let every path end the call: a refresh that fails or is cancelled ends those that wait \
        for it, too. A refresh must not need a place in a queue that waiting calls fill.
        """,
        "again": """
        Keep the refresh that is under way, and let every call that needs one wait for it. \
        Read the refresh token when the exchange begins, and replace it by what it brings.
        """,
        "late": """
        Remember with which token a call went out. When it is refused and you have another one \
        by now, send it again with that, without a refresh.
        """,
        "left": """
        Give each sign-in a number, and throw away what was begun under another one: calls, \
        refreshes, timers. Forget the tokens before the sign-out returns.
        """,
        "somebody else": """
        Tie each call, refresh and timer to the sign-in it was begun under, and send nothing \
        of it with the tokens of another one.
        """,
        "nobody": """
        Let a call that needs a token wait for one, or fail without being sent.
        """,
        "completions": """
        Remove a completion handler from where it is kept before it is called.
        """,
        "lost": """
        Send a call that was refused for an old token again with the new one, also where \
        another call's refresh has brought it.
        """,
        "body": """
        Keep what a write is made of until it has ended, and build each request from that. A \
        stream must be opened again for the repeat.
        """,
    ]
}
