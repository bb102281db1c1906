/// OOTD's designs: the final one, those that all apps can have, and the one before.
enum OOTDDesign: String, CaseIterable, Sendable {
    /// Errors are emitted as values.
    case asBuilt
    /// The design that all apps can have instead of their own: `ReferenceSessions`.
    case reference
    /// Alamofire's own interceptor: `AuthenticationTokens`.
    case authenticationInterceptor
    /// The design at the beginning of its notes: an error is a failure of its `Single`, which ends
    /// the stream it was merged into. The button is dead until its screen is made again.
    case failingSingle

    /// The design of its tokens.
    var tokens: TokenDesign { TokenDesign(rawValue: rawValue) ?? .asBuilt }
}
