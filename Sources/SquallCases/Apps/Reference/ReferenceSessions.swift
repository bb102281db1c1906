import SquallApps
import SquallClient

/// A device's sessions on a token design that any app can have.
///
/// - All calls that carry a token share one interceptor, also uploads, pictures, documents and
///   deletions.
/// - They must accept `acceptedStatuses` only: a 419 that counts as a success reaches no retrier.
/// - Calls that need no token bypass it, so a user can sign in without being signed in; so does the
///   refresh.
/// - A stored token is enough to begin with: nothing is refreshed before the server refuses it.
///
/// A class, so that an app as built has one empty reference instead of it.
final class ReferenceSessions: Sendable {
    /// The statuses that are no error.
    static let acceptedStatuses = 200...299

    /// Puts tokens on what is sent through it, and refreshes them.
    let session: Session
    /// For requests without a token: signing in and up, e-mail checks, other servers.
    let open: Session
    /// The keeper that is told of each sign-in and sign-out.
    let tokens: any TokenKeeper

    /// The sessions of a device whose app keeps its tokens in `store`.
    ///
    /// `onExpiry` shows the sign-in screen; the reference calls it at most once for each sign-in.
    init(
        device: Device, store: any TokenStore, refresh: LSLPRefresh,
        design: TokenDesign = .reference, onExpiry: @escaping @Sendable () -> Void
    ) {
        let open = Session(environment: device.environment, user: device.user)
        let tokens: any TokenKeeper =
            design == .authenticationInterceptor
            ? AuthenticationTokens(store: store, open: open, refresh: refresh, onExpiry: onExpiry)
            : TokenInterceptor(
                store: store, refreshSession: open,
                onEvent: { if $0 == .sessionExpired { onExpiry() } },
                refresh: { try await refresh.newPair(for: $0, through: $1) })
        (self.open, self.tokens) = (open, tokens)
        session = Session(beside: open, interceptor: tokens)
    }
}

extension DataRequest {
    /// Refuses every status but a success on the reference design; as built nothing is refused.
    func validated(for tokens: (any TokenKeeper)?) -> Self {
        tokens == nil ? self : validate(statusCode: ReferenceSessions.acceptedStatuses)
    }
}
