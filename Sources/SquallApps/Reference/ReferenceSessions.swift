import SquallClient
import SquallHTTP

/// A device's sessions on a token design that any app can have.
///
/// - All calls that carry a token share one interceptor: uploads, pictures, documents and deletions
///   too.
/// - They have to accept `acceptedStatuses` only. A 419 that passes for a success reaches nobody.
/// - Calls that need no token pass it by, so nobody has to be signed in to sign in; so does the
///   refresh.
/// - A stored token is enough to begin with: nothing is refreshed before the server refuses it.
struct ReferenceSessions: Sendable {
    /// The statuses that are no error.
    static let acceptedStatuses = 200...299

    /// Puts tokens on what is sent through it, and refreshes them.
    let session: Session
    /// For what carries no token: signing in and up, e-mail checks, other servers.
    let open: Session
    /// Is told who signs in and out.
    let tokens: any TokenKeeper

    /// The sessions of a device whose app keeps its tokens in `store`.
    ///
    /// `onExpiry` shows the sign-in screen; on the reference it is called once for each sign-in at
    /// the most.
    init(
        device: Device, store: any TokenStore, refresh: LSLPRefresh,
        design: TokenDesign = .reference, onExpiry: @escaping @Sendable () -> Void
    ) {
        open = Session(environment: device.environment, user: device.user)
        tokens =
            design == .authenticationInterceptor
            ? AuthenticationTokens(store: store, open: open, refresh: refresh, onExpiry: onExpiry)
            : TokenInterceptor(
                store: store, refreshSession: open,
                onEvent: { if $0 == .sessionExpired { onExpiry() } },
                refresh: { try await refresh.newPair(for: $0, through: $1) })
        session = Session(beside: open, interceptor: tokens)
    }
}

extension DataRequest {
    /// Refuses every status but a success on the reference design; as built nothing is refused.
    func validated(for tokens: (any TokenKeeper)?) -> Self {
        tokens == nil ? self : validate(statusCode: ReferenceSessions.acceptedStatuses)
    }
}
