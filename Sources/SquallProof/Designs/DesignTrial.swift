public import SquallApps
public import SquallBackend
import SquallKernel
import SquallLab

/// One phone on an expired token: some calls at once, and a server that answers the refresh in one
/// way.
///
/// Trials ask what a token design does, one question at a time: nothing is random, nobody else is
/// there, and every latency is constant. What they find of the four designs as built is printed by
/// `squall apps`.
public struct DesignTrial: Hashable, Sendable {
    /// The kind of call.
    public var kind = CallKind.model
    /// How many calls are made at the same instant.
    public var calls = 1
    /// How long new access tokens live.
    public var accessLifetimeNanoseconds: Int64 = 300_000_000_000
    /// What the server answers to a refresh.
    public var refresh = RefreshAnswer.genuine
    /// Whether the last call's first answer comes long after the others have been refreshed.
    public var lastAnswerIsLate = false
    /// Whether the connection is lost under the calls themselves.
    public var losesCalls = false
    /// Whether the phone knows when its token expires.
    public var knowsExpiry = true
    /// Whether the phone has tokens at all.
    public var hasTokens = true

    /// One call of a model, an honest server.
    public init() {}

    /// What the server answers to a refresh.
    public enum RefreshAnswer: Hashable, Sendable {
        /// A new token.
        case genuine
        /// What the contract says of this trouble, and no more than a message.
        case refused(Trouble)
        /// A success that no model decodes from.
        case undecodable
        /// Nothing: the connection is lost.
        case connectionLost
    }

    /// When the outcome is read: longer than any design needs that ever ends.
    static let end = Instant(nanoseconds: 20_000_000_000)
    /// A call that is open but has not sent anything for so long hangs.
    static let silenceNanoseconds: Int64 = 5_000_000_000
}

/// What came of a trial.
public struct TrialResult: Hashable, Sendable {
    /// How many refreshes reached the server.
    public let refreshes: Int
    /// How many sends of the calls themselves did.
    public let sends: Int
    /// What the calls that ended showed, in the order in which they ended.
    public let outcomes: [StepOutcome]
    /// How many calls wait for something that will never happen.
    public let hung: Int
    /// Whether calls still go round when the trial ends.
    public let isEndless: Bool
    /// Whether the app has ended up on its sign-in screen.
    public let isSignedOut: Bool
    /// From the first refresh's answer to the next send of a call.
    public let resendDelayNanoseconds: Int64?
    /// What made the client refresh or ask its retrier, in the order of the first request to do so.
    public let triggers: [Trigger]

    /// What made a client notice that its token has expired.
    public enum Trigger: String, Hashable, Sendable {
        /// A validator refused the status.
        case validator
        /// The body of the refusal did not decode.
        case decoding
        /// Nothing was refused yet: the app knew when its token would expire.
        case clock
    }
}
