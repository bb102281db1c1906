import SquallApps
import SquallFormat
import SquallKernel

/// One phone with an expired token: some simultaneous calls, and a server that answers the refresh
/// in one way.
///
/// Trials ask what a token design does, one question at a time: nothing is random, there is no
/// other user, and every latency is constant. `squall apps` prints what they find of the four
/// designs as built.
struct DesignTrial {
    /// The kind of call.
    var kind = CallKind.model
    /// The number of calls at the same instant.
    var calls = 1
    /// The lifetime of new access tokens.
    var accessLifetimeNanoseconds = 300 * Span.second
    /// How refreshes fail; nil for a new token.
    var refresh: NotedTransport.Failure?
    /// Whether the last call's first answer comes long after the refresh of the others.
    var lastAnswerIsLate = false
    /// Whether the connection is lost during the calls themselves.
    var losesCalls = false
    /// Whether the phone knows the time of its token's expiry.
    var knowsExpiry = true
    /// Whether the phone has tokens at all.
    var hasTokens = true

    /// When the outcome is read: later than any design needs that ends at all.
    static let end = Instant(nanoseconds: 20 * Span.second)
    /// An open call that has sent nothing for this long hangs.
    static let silenceNanoseconds = 5 * Span.second
}

/// The result of a trial.
struct TrialResult {
    /// Refreshes that were sent.
    let refreshes: Int
    /// Sends of the calls themselves.
    let sends: Int
    /// What the ended calls showed, in the order of their ends.
    let outcomes: [StepOutcome]
    /// The number of calls that wait for something that never happens.
    let hung: Int
    /// Whether calls are still being sent again and again at the end of the trial.
    let isEndless: Bool
    /// Whether the app is on its sign-in screen at the end.
    let isSignedOut: Bool
    /// From the first refresh's answer to the next send of a call.
    let resendDelayNanoseconds: Int64?
    /// What made the client refresh or ask its retrier, in the order of first occurrence.
    let triggers: [Trigger]

    /// What made a client notice that its token has expired.
    enum Trigger: String {
        /// A validator refused the status.
        case validator
        /// The body of the refusal did not decode.
        case decoding
        /// Nothing was refused: the app knew the time of its token's expiry.
        case clock
    }
}
