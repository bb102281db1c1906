/// Why a `TokenInterceptor` fails a request itself.
public enum TokenError: LabelledError {
    /// No user is signed in, or another one than when the request was first sent.
    case signedOut
    /// The refresh token is no longer accepted: the user has to sign in again.
    case sessionExpired
    /// The refresh failed for a reason that may pass; the tokens are kept.
    case refreshFailed(any Error)
    /// There were too many refreshes lately; the tokens are kept.
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

/// What happens to a program's tokens; no event holds one.
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
