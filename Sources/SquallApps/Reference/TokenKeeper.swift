import SquallClient

/// Puts an app's tokens on its requests and refreshes them, in a design that any app can have.
protocol TokenKeeper: RequestInterceptor {
    /// Uses new tokens from now on, and keeps them.
    func signIn(_ pair: TokenPair)
    /// Forgets the tokens.
    func signOut()
    /// Forgets the tokens, and returns when none of them is stored any more, as far as it can know.
    func signOutAndErase() async
}

extension TokenKeeper {
    /// Forgets the tokens.
    func signOutAndErase() async { signOut() }
}

extension TokenInterceptor: TokenKeeper {}
