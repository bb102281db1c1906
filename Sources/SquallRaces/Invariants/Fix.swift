/// Fixes that several promises and drills share.
enum Fix {
    static let endless = """
        Limit the work for one call to one refresh and one retry with the new token. If the retry \
        is rejected, fail the call with the server's error.
        """
    static let spinning = "Wait for an event or a timer instead of checking in a loop."
    static let hang = """
        End the call on every path: a refresh that fails or is cancelled must end the calls that \
        wait for it. A refresh must not need a slot that waiting calls occupy.
        """
    static let again = """
        Keep the refresh that is in flight and let every call that needs one wait for it. Read the \
        refresh token when the exchange starts and replace it with the new one.
        """
    static let late = """
        Remember which token each call was sent with. If it is rejected and the current token is a \
        different one, retry with that, without a refresh.
        """
    static let left = """
        Number each sign-in and discard work that was started under an earlier one: calls, \
        refreshes, timers. Delete the tokens before the sign-out returns.
        """
    static let otherUser = """
        Tie each call, refresh and timer to the sign-in it was started under, and never send it \
        with another user's tokens.
        """
    static let noToken =
        "A call that needs a token waits for one or fails without being sent."
    static let completions = "Remove a completion handler from its list before you call it."
    static let dropped = """
        Call the completion on every path, also when the retry limit is reached or the refresh \
        fails.
        """
    static let lost = """
        Retry a call that was rejected for an old token with the new one, also when another call's \
        refresh fetched it.
        """
    static let body = """
        Keep the data of a write until it has ended and build each request from it. Reopen a \
        stream for the retry.
        """
    static let staysSignedIn = """
        Delete the tokens only when the server rejects the refresh token itself. A 5xx, a timeout, \
        a cancellation or a locked keychain is not a rejection.
        """
}
