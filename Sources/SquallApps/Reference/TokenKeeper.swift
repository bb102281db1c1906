import SquallClient

/// Who puts an app's tokens on its requests and refreshes them, in a design that any app can have.
protocol TokenKeeper: RequestInterceptor {
    /// Uses new tokens from now on, and keeps them.
    func signIn(_ pair: TokenPair)
    /// Forgets the tokens.
    func signOut()
}

extension TokenInterceptor: TokenKeeper {}
