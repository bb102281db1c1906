/// Scrolly's designs: the one it was built with, those that all apps can have, and one of its own.
enum ScrollyDesign: String, CaseIterable, Sendable {
    /// The app's own, faults included.
    case asBuilt
    /// The design that all apps can have instead of their own: `ReferenceSessions`.
    case reference
    /// Alamofire's own interceptor: `AuthenticationTokens`.
    case authenticationInterceptor
    /// As built but for one word: the main screen's delegate is weak, so a replaced main screen is
    /// freed and loads nothing any more.
    ///
    /// No version of the app has that change; it is here for comparison.
    case weakDelegate

    /// The design of its tokens.
    var tokens: TokenDesign { TokenDesign(rawValue: rawValue) ?? .asBuilt }
    /// Whether replaced main screens stay and load.
    var keepsReplacedMains: Bool { self != .weakDelegate }
}
