/// The token design that an app has; everything else in it is the same.
enum TokenDesign: String, CaseIterable, Sendable {
    /// The app's own, faults included.
    case asBuilt
    /// The reference: `ReferenceSessions`.
    case reference
    /// Alamofire's own interceptor: `AuthenticationTokens`.
    case authenticationInterceptor
}
