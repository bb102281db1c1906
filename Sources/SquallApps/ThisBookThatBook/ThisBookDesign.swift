/// 이책저책's designs: the one it ended with, those that all apps can have, and its own earlier ones.
///
/// The earlier ones have a story in the app's notes. Where its history is older than a call, the
/// call is made as the history makes others.
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
    /// only, so the token is stored, and the method is never called again and never answers.
    case unheardRefresh
    /// Pictures are asked for by their addresses alone, without key and token.
    case plainPictures
    /// Buttons without a throttle, and fields that are sent whatever is in them.
    case unguardedButtons

    /// The design that this one takes its tokens from.
    var tokens: TokenDesign { TokenDesign(rawValue: rawValue) ?? .asBuilt }
    /// Whether each method refreshes by itself, where later an interceptor does for all calls.
    var refreshesInMethods: Bool { self == .recursiveRefresh || self == .unheardRefresh }
    /// Whether a button lets one tap of a window pass, and only what may be right is sent.
    var guardsButtons: Bool { self != .unguardedButtons }
}
