/// Why a `TokenInterceptor` fails a request itself.
public enum TokenError: LabelledError {
    /// Nobody is signed in, or somebody else than when the request was first sent.
    case signedOut
    /// The refresh token is no longer accepted: whoever uses the program has to sign in again.
    case sessionExpired
    /// The refresh failed for a reason that may pass; the tokens are kept.
    case refreshFailed(any Error)
    /// There were too many refreshes of late; the tokens are kept.
    case refreshesTooOften
    /// The request was refused again with a fresh token.
    case refusedAgain

    /// A name without dynamic parts: `tokens.sessionExpired`.
    public var label: String {
        switch self {
        case .signedOut: "tokens.signedOut"
        case .sessionExpired: "tokens.sessionExpired"
        case .refreshFailed: "tokens.refreshFailed"
        case .refreshesTooOften: "tokens.refreshesTooOften"
        case .refusedAgain: "tokens.refusedAgain"
        }
    }
}

/// What becomes of a program's tokens; no event holds one.
public enum TokenEvent: Hashable, Sendable {
    /// A refresh begins.
    case refreshBegan
    /// New tokens are stored, and every request from now on carries them.
    case published
    /// A refresh failed for a reason that may pass.
    case refreshFailed
    /// The refresh token is no longer accepted; comes once for each sign-in at the most.
    case sessionExpired
}
