/// What usually repairs a client that breaks a promise.
///
/// The fix belongs to the rule or the expectation that broke; a drill whose own topic is that rule
/// has a better one.
enum DrillFix {
    /// The fix of a finding in a drill.
    static func fix(of violation: Violation, in drill: Drill) -> String {
        let topic = violation.ownFix == staysSignedIn ? "session" : violation.cause
        if drill.topics.contains(topic) { return drill.fix }
        return violation.ownFix ?? rules[violation.cause] ?? drill.fix
    }

    /// The fix of a broken promise, whatever was played; nil for a promise of a test of its own.
    static func fix(of invariant: String) -> String? {
        promises[invariant] ?? sharedRules[invariant].flatMap { rules[$0] }
    }

    /// The fix of one kind of violation of a promise that can be broken in several ways.
    static func fix(of invariant: String, _ kind: String) -> String? {
        kinds["\(invariant) \(kind)"]
    }

    /// For each promise that has the fix of a rule of drills.
    private static let sharedRules = [
        "S1": "again", "S4": "late", "S6": "left", "S8": "again", "S9": "endless",
        "S12": "other user", "S13": "completions", "S18": "no token", "L1": "hang", "L2": "hang",
        "L3": "endless", "L5": "lost",
    ]

    /// For each other promise.
    private static let promises = [
        "S2": "Read the stored access token when a call is sent, not when it is created.",
        "S3": """
        Refresh only after a response rejected the current token, or shortly before its known \
        expiry.
        """,
        "S5": """
        Write both tokens in one step, and discard the response of a refresh if a newer pair was \
        stored since it started.
        """,
        "S7": staysSignedIn,
        "S10": """
        Retry a write only if it was rejected before it took effect (401), or with an idempotency \
        key.
        """,
        "S11": "Limit the attempts of a call, and wait longer before each.",
        "S14": """
        Accept a page only if it answers the newest request of its list, and tell items apart by \
        their identifiers.
        """,
        "S15": """
        Before a refresh starts, compare the token that it replaces with the stored one; if they \
        differ, use the stored one.
        """,
        "S16": "Send tokens in header fields or bodies only; leave them out of errors and logs.",
        "S17": "Limit how many calls of a device are open at once; let the others wait in line.",
        "S19": """
        Show a response only if it belongs to the newest request of its screen and to the row that \
        was touched.
        """,
        "S20": "Refresh at a random time before the expiry (jitter), not at a fixed age.",
        "L4": """
        Let the one refresh that learns that the session is over sign the user out and fail all \
        calls that wait for it.
        """,
        "L6": """
        Store new tokens before they are used, and read them at launch, so that a killed app \
        continues with the newest pair.
        """,
        "L7": """
        Retry with exponential backoff, jitter and a retry budget, so that the load returns to \
        normal after a fault.
        """,
    ]

    /// For each kind of violation that the fix of its promise does not repair.
    private static let kinds = [
        "S13 dropped": """
        Call the completion on every path, also when the retry limit is reached or the refresh \
        fails.
        """,
        "S19 lost": """
        Show an action as done only after the server's response to it, and send it before the \
        tokens that it needs are deleted.
        """,
        "S19 crashed": """
        Find a row by its identifier at the time of use: an index from an earlier state may be out \
        of range.
        """,
        "S19 stale": """
        Discard the response to a request that was sent before the newest change of what it shows, \
        or repeat the request.
        """,
        "S19 like": """
        Send one change of an item at a time, in the order of the taps, and end with the last one.
        """,
        "S19 purchase": """
        Keep a payment until the server has booked it, and repeat the booking with an idempotency \
        key.
        """,
        "S19 picture": "Load pictures through the same refresh and retry as every other call.",
        "S19 session": """
        Store, replace and delete both tokens in one step, and discard the response of a refresh \
        that ends after a sign-out.
        """,
        "L2 outOfTime": rules["endless"] ?? "",
        "L2 spinning": "Wait for an event or a timer instead of checking in a loop.",
    ]

    /// For a user who is no longer signed in, although the session goes on.
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

extension Violation {
    /// What usually repairs a client that breaks the promise; nil for a promise of a test's own.
    public var fix: String? { ownFix ?? DrillFix.fix(of: invariant) }
}
