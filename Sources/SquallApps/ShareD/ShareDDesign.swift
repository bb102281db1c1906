/// Share.D's token designs: the final one, the earlier ones, and the reference.
///
/// Each of the earlier ones was live for a while and has a story in the app's own notes.
enum ShareDDesign: String, CaseIterable, Sendable {
    /// An interceptor for each call: `ShareDInterceptor`.
    case asBuilt
    /// The design that all apps can have instead of their own: `ReferenceSessions`.
    case reference
    /// The third design, of 24 August 2024 (7048d68): a call answered 419 subscribes to a refresh,
    /// and the subscription dies at the end of the statement.
    ///
    /// The refresh still runs and its token is stored, but the subscriber is gone: the call never
    /// answers. The next tap works.
    case disposedRefresh
    /// The second design, of 18 August 2024 (ad49521): the call is made again after the refresh,
    /// whose token is stored under a wrong key, the access token itself.
    ///
    /// The value under the right key never changes, so the call repeats without end, two calls each
    /// time. It was taken for a stale cache.
    case tokenUnderItself
    /// Alamofire's own interceptor: `AuthenticationTokens`.
    case authenticationInterceptor
    /// The first design, before 18 August 2024: nothing refreshes, and after a 419 the user has to
    /// sign in again.
    case signInAgain
}
