/// 이책저책's designs: the final one, those that all apps can have, and its own earlier ones.
///
/// The earlier ones are described in the app's notes. A call that is younger than a design is made
/// as that design made other calls.
enum ThisBookDesign: String, CaseIterable, Sendable {
    /// An interceptor for all calls: `ThisBookAuthInterceptor`.
    case asBuilt
    /// The design that all apps can have instead of their own: `ReferenceSessions`.
    case reference
    /// Alamofire's own interceptor: `AuthenticationTokens`.
    case authenticationInterceptor
    /// The first design as its notes tell it: each method refreshes on its own when it is answered
    /// 419, and calls itself again. Uploads and deletions refreshed then.
    case recursiveRefresh
    /// The same as it was committed before d8fad21: the refresh's completion is called for errors
    /// only, so the token is stored, but the method is never called again and never answers.
    case unheardRefresh
    /// Pictures are loaded by their addresses alone, without key and token.
    case plainPictures
    /// Buttons without a throttle, and fields that are sent unchecked.
    case unguardedButtons

    /// The design of its tokens.
    var tokens: TokenDesign { TokenDesign(rawValue: rawValue) ?? .asBuilt }
    /// Whether each method refreshes by itself, as later an interceptor does for all calls.
    var refreshesInMethods: Bool { self == .recursiveRefresh || self == .unheardRefresh }
    /// Whether a button lets one tap of a window pass, and only plausible input is sent.
    var guardsButtons: Bool { self != .unguardedButtons }
}
