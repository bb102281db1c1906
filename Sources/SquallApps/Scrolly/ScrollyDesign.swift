/// Scrolly's designs: the one it was built with, those that all apps can have, and one of its own.
enum ScrollyDesign: String, CaseIterable, Sendable {
    /// The app's own, faults included.
    case asBuilt
    /// The design that all apps can have instead of their own: `ReferenceSessions`.
    case reference
    /// Alamofire's own interceptor: `AuthenticationTokens`.
    case authenticationInterceptor
    /// As built but for one word: the main screen's delegate is weak, so that a main screen that
    /// another has replaced goes away and loads nothing any more.
    ///
    /// Nobody has made that change; it is here to be compared with.
    case weakDelegate

    /// The design that this one takes its tokens from.
    var tokens: TokenDesign { TokenDesign(rawValue: rawValue) ?? .asBuilt }
    /// Whether main screens that were replaced stay and load.
    var keepsReplacedMains: Bool { self != .weakDelegate }
}
