import SquallClient

/// Who puts an app's tokens on its requests and refreshes them, in a design that any app can have.
protocol TokenKeeper: RequestInterceptor {
    /// Uses new tokens from now on, and keeps them.
    func signIn(_ pair: TokenPair)
    /// Forgets the tokens.
    func signOut()
    /// Forgets them, and comes back when nothing of them is stored any more, as far as it can know.
    func signOutAndErase() async
}

extension TokenKeeper {
    /// Forgets them.
    func signOutAndErase() async { signOut() }
}

extension TokenInterceptor: TokenKeeper {}
