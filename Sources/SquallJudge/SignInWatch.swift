/// Who is signed in on a device, as far as what was seen tells.
///
/// A user leaves by signing out, whatever the server says to it; a session that the server has
/// ended is theirs until they do, or sign in again.
public struct SignInWatch<Position: Sendable>: Sendable {
    /// What is known.
    public enum State: Sendable {
        /// Nothing, or a sign-in or sign-out is under way.
        case unknown
        /// A user is signed in, to that account where it is known.
        case signedIn(Int?)
        /// The server has ended the user's session.
        case ended
        /// The user has signed out.
        case left
    }

    /// What is known now.
    public private(set) var state = State.unknown
    /// Where that began.
    public private(set) var since: Position?

    /// A watch of a device of which nothing was seen yet.
    public init() {}

    /// When the user signed out; `nil` for one who has not.
    public var leftAt: Position? { if case .left = state { since } else { nil } }

    /// When the server ended the session; `nil` for one that goes on, or whose user has left.
    public var endedAt: Position? { if case .ended = state { since } else { nil } }

    /// A sign-in or sign-out begins.
    public mutating func changes(at position: Position) { (state, since) = (.unknown, position) }

    /// A user has signed in.
    public mutating func signedIn(as account: Int? = nil, at position: Position) {
        (state, since) = (.signedIn(account), position)
    }

    /// The user has signed out.
    public mutating func left(at position: Position) { (state, since) = (.left, position) }

    /// The server has ended the session.
    public mutating func ended(at position: Position) {
        if leftAt == nil, endedAt == nil { (state, since) = (.ended, position) }
    }

    /// The server has renewed a token of the session, which it has not ended, then.
    public mutating func goesOn(at position: Position) {
        if endedAt != nil { signedIn(at: position) }
    }
}
