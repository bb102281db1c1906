/// OOTD's designs: the one it ended with, those that all apps can have, and the one before.
enum OOTDDesign: String, CaseIterable, Sendable {
    /// Errors are emitted as values.
    case asBuilt
    /// The design that all apps can have instead of their own: `ReferenceSessions`.
    case reference
    /// Alamofire's own interceptor: `AuthenticationTokens`.
    case authenticationInterceptor
    /// What its notes begin with: an error is a failure of its `Single`, which ends the stream that
    /// the `Single` was merged into. The button is dead until its screen is made again.
    case failingSingle

    /// The design that this one takes its tokens from.
    var tokens: TokenDesign { TokenDesign(rawValue: rawValue) ?? .asBuilt }
}
