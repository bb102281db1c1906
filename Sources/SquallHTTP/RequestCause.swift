/// Why a request is on the wire: its user, its step, and its number as an attempt.
///
/// Client monitors and the server's log both carry it, so every attempt can be attributed and the
/// two ledgers compared. It is not part of the protocol: a server must not decide by it.
public struct RequestCause: Hashable, Sendable {
    /// The simulated user, from 0.
    public var user: UInt64
    /// The user's step, counted from 0 over the whole run.
    public var step: UInt32
    /// The user's logical request, counted from 0 over the whole run.
    public var request: UInt32
    /// Which attempt of the request this is, from 0.
    public var attempt: UInt32
    /// The request whose failure made the client refresh its token, or `clock`; `nil` unless this
    /// is a refresh, or a sign-in that renews a token.
    public var refreshFor: UInt32?
    /// Stands for the request of a renewal that no failure has asked for.
    public static let clock = UInt32.max
    /// The user's pool of connections that carries it; 0 is the app's own.
    ///
    /// Each session of a phone can have a pool of its own, as an image library's has.
    public var pool: UInt8
    /// What the user sees of the screen that asks for it.
    public var screen: ScreenState

    /// A cause from its parts.
    public init(
        user: UInt64 = 0, step: UInt32 = 0, request: UInt32 = 0, attempt: UInt32 = 0,
        refreshFor: UInt32? = nil, pool: UInt8 = 0, screen: ScreenState = .inFront
    ) {
        self.user = user
        self.step = step
        self.request = request
        self.attempt = attempt
        self.refreshFor = refreshFor
        self.pool = pool
        self.screen = screen
    }
}

/// What the user sees of a screen.
public enum ScreenState: UInt8, Sendable, Hashable, CaseIterable {
    /// The user looks at it, or the app has no screens to tell apart.
    case inFront
    /// Another screen lies over it.
    case covered
    /// Another screen has replaced it for good, but an object keeps it alive.
    case replaced

    /// Its name in results.
    public var name: String {
        switch self {
        case .inFront: "inFront"
        case .covered: "covered"
        case .replaced: "replaced"
        }
    }
}

extension RequestCause: CustomStringConvertible {
    /// `user 17 step 3 request 12 attempt 1`, with `for request n` when it is a refresh.
    public var description: String {
        let text = "user \(user) step \(step) request \(request) attempt \(attempt)"
        return refreshFor.map { text + " for request \($0)" } ?? text
    }
}
