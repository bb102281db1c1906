import SquallClient

/// Puts an app's tokens on its requests and refreshes them, in a design that any app can have.
protocol TokenKeeper: RequestInterceptor, AnyObject {
    /// Uses new tokens from now on, and keeps them.
    func signIn(_ pair: TokenPair)
    /// Forgets the tokens.
    func signOut()
}

extension TokenInterceptor: TokenKeeper {}

/// The token design that an app has; everything else in it is the same.
enum TokenDesign: String, CaseIterable, Sendable {
    /// The app's own, faults included.
    case asBuilt
    /// The reference: `ReferenceSessions`.
    case reference
    /// Alamofire's own interceptor: `AuthenticationTokens`.
    case authenticationInterceptor
}

extension TokenPair {
    /// The pair of two strings as apps store them; an empty access token is no pair.
    init?(storedAccess access: String, refresh: String) {
        guard !access.isEmpty else { return nil }
        self.init(access: access, refresh: refresh)
    }
}
