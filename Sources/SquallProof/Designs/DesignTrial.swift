public import SquallApps
public import SquallBackend
import SquallKernel
import SquallLab

/// One phone with an expired token: some simultaneous calls, and a server that answers the refresh
/// in one way.
///
/// Trials ask what a token design does, one question at a time: nothing is random, there is no
/// other user, and every latency is constant. `squall apps` prints what they find of the four
/// designs as built.
public struct DesignTrial: Hashable, Sendable {
    /// The kind of call.
    public var kind = CallKind.model
    /// The number of calls at the same instant.
    public var calls = 1
    /// The lifetime of new access tokens.
    public var accessLifetimeNanoseconds: Int64 = 300_000_000_000
    /// What the server answers to a refresh.
    public var refresh = RefreshAnswer.genuine
    /// Whether the last call's first answer comes long after the refresh of the others.
    public var lastAnswerIsLate = false
    /// Whether the connection is lost during the calls themselves.
    public var losesCalls = false
    /// Whether the phone knows the time of its token's expiry.
    public var knowsExpiry = true
    /// Whether the phone has tokens at all.
    public var hasTokens = true

    /// A trial of one call of a model with a correct server.
    public init() {}

    /// The server's answer to a refresh.
    public enum RefreshAnswer: Hashable, Sendable {
        /// A new token.
        case genuine
        /// The contract's answer to this trouble, with no more than a message.
        case refused(Trouble)
        /// A success with a body that no model can decode.
        case undecodable
        /// Nothing: the connection is lost.
        case connectionLost
    }

    /// When the outcome is read: later than any design needs that ends at all.
    static let end = Instant(nanoseconds: 20_000_000_000)
    /// An open call that has sent nothing for this long hangs.
    static let silenceNanoseconds: Int64 = 5_000_000_000
}

/// The result of a trial.
public struct TrialResult: Hashable, Sendable {
    /// Refreshes that were sent.
    public let refreshes: Int
    /// Sends of the calls themselves.
    public let sends: Int
    /// What the ended calls showed, in the order of their ends.
    public let outcomes: [StepOutcome]
    /// The number of calls that wait for something that never happens.
    public let hung: Int
    /// Whether calls are still being sent again and again at the end of the trial.
    public let isEndless: Bool
    /// Whether the app is on its sign-in screen at the end.
    public let isSignedOut: Bool
    /// From the first refresh's answer to the next send of a call.
    public let resendDelayNanoseconds: Int64?
    /// What made the client refresh or ask its retrier, in the order of first occurrence.
    public let triggers: [Trigger]

    /// What made a client notice that its token has expired.
    public enum Trigger: String, Hashable, Sendable {
        /// A validator refused the status.
        case validator
        /// The body of the refusal did not decode.
        case decoding
        /// Nothing was refused: the app knew the time of its token's expiry.
        case clock
    }
}
