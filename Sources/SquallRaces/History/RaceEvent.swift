public import SquallBackend

/// An event of one run that a client, a service or the wire shows.
public struct RaceEvent: Hashable, Sendable {
    /// What it is.
    public var kind: Kind
    /// When, in nanoseconds since the run began.
    public var at: Int64
    /// How many choices of the schedule had been made.
    public var choice = 0
    /// The run's task that did it; `nil` when it was no task.
    public var task: UInt64?
    /// The user it belongs to.
    public var user = 0
    /// The user's logical call.
    public var request: Int?
    /// Which attempt of the call it is, from 0.
    public var attempt = 0
    /// The call whose refusal made the client refresh; `nil` where that is not known.
    public var refreshFor: Int?
    /// The endpoint, by its position in the history's names.
    public var endpoint: Int?
    /// Tells its call from others, by verb and address; 0 where that is not known.
    public var address: UInt64 = 0
    /// What is special about the endpoint.
    public var role = Endpoint.Role.ordinary
    /// Whether the call is meant to change something.
    public var isWrite = false
    /// The access token it concerns, by its position in the history's tokens.
    public var access: Int?
    /// The refresh token it concerns.
    public var refresh: Int?
    /// Whether a call that should carry an access token carries none, or an unknown one.
    public var isAnonymous = false
    /// The answer's status; `nil` where there is no answer.
    public var status: Int?
    /// What the answer means.
    public var meaning: AnswerMeaning?
    /// Further words, by their position in the history's names.
    public var text: Int?

    /// An event of a kind at an instant.
    public init(_ kind: Kind, at: Int64) {
        self.kind = kind
        self.at = at
    }

    /// The kinds of event.
    public enum Kind: UInt8, Hashable, Sendable, CaseIterable {
        /// A caller waits for a call now.
        case callBegan
        /// An attempt of it is handed to the network.
        case sent
        /// The server has done the work and replies.
        case served
        /// The server made a token.
        case issued
        /// Access tokens stopped being accepted before their expiry.
        case expired
        /// The answer has come to the device.
        case answered
        /// The device knows that no answer will come.
        case unanswered
        /// The call has ended, and its caller is told.
        case callEnded
        /// The same, with an error.
        case callFailed
        /// The caller cancelled the call.
        case cancelled
        /// The call waits for a completion that can no longer be called.
        case completionLost
        /// A completion was called again.
        case completionRepeated
        /// The app's store holds other tokens than before.
        case stored
        /// The app's store holds no tokens any more.
        case erased
        /// The app shows its sign-in screen.
        case signedOut
        /// The app no longer shows it.
        case signedIn
        /// The user asked to sign out, or to close the account.
        case leaves
        /// A user's action begins.
        case actBegan
        /// It has ended, with the outcome that the text names.
        case actEnded
        /// Something else happened, as the text says.
        case meanwhile
    }
}

/// A token, as findings name it.
public struct RaceToken: Hashable, Sendable {
    /// The user it belongs to.
    public let user: Int
    /// What it is for.
    public let kind: TokenMint.Kind
    /// Its number among the user's tokens of its kind, from 0, in the order of issue; in a drill
    /// among all of the device, also those of the app before it was killed.
    public let number: Int
    /// How many refreshes lie between the sign-in and it; 0 where that is unknown.
    public let generation: Int
    /// When it expires, in nanoseconds since the run began; `nil` where that is unknown.
    public let expiry: Int64?

    /// A short name: `T0`, `R1`.
    public var name: String { (kind == .access ? "T" : "R") + "\(number)" }
}
