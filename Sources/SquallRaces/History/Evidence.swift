/// The situations that a run showed, of those that invariants need before they can judge it.
///
/// An invariant names what it ``RaceInvariant/needs``; where no schedule shows all of that, it was
/// not judged: neither kept nor broken.
public struct Evidence: OptionSet, Hashable, Sendable {
    /// A bit for each kind of thing.
    public let rawValue: UInt32

    /// The evidence of some bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    private init(bit: UInt32) { rawValue = 1 << bit }

    /// An ordinary call that got a response.
    public static let call = Evidence(bit: 0)
    /// Two ordinary calls of one user that were open at the same time.
    public static let secondCall = Evidence(bit: 1)
    /// A refresh.
    public static let refresh = Evidence(bit: 2)
    /// A refresh with a known access token that it replaces.
    public static let replacement = Evidence(bit: 3)
    /// A refresh that showed its refresh token.
    public static let refreshToken = Evidence(bit: 4)
    /// A refresh that got a response.
    public static let refreshAnswer = Evidence(bit: 5)
    /// A refresh that succeeded.
    public static let refreshed = Evidence(bit: 6)
    /// A call that was refused as expired.
    public static let refusal = Evidence(bit: 7)
    /// A refusal of a token after a newer one had come.
    public static let lateRefusal = Evidence(bit: 8)
    /// A call that was refused with two different tokens.
    public static let refusedAgain = Evidence(bit: 9)
    /// A call with a token that was sent again.
    public static let sentAgain = Evidence(bit: 10)
    /// An attempt that did not succeed.
    public static let failure = Evidence(bit: 11)
    /// A call that changes something and that the server has done.
    public static let write = Evidence(bit: 12)
    /// Tokens in the app's store.
    public static let store = Evidence(bit: 13)
    /// A change of the tokens in the store.
    public static let storeChange = Evidence(bit: 14)
    /// A call with a token that began after the store had changed.
    public static let callAfterChange = Evidence(bit: 15)
    /// A user who asked to sign out.
    public static let leaving = Evidence(bit: 16)
    /// A refresh with the response that the session is over.
    public static let sessionEnd = Evidence(bit: 17)
    /// Tokens of a second user, or of a second sign-in.
    public static let secondSession = Evidence(bit: 18)
    /// An action that ended.
    public static let action = Evidence(bit: 19)
    /// A list on a screen.
    public static let list = Evidence(bit: 20)
    /// An app that came back or started again.
    public static let comeBack = Evidence(bit: 21)
    /// An action that began after the last fault.
    public static let calm = Evidence(bit: 22)
    /// A server that accepts a refresh token once.
    public static let rotation = Evidence(bit: 23)
    /// Eight users or more.
    public static let crowd = Evidence(bit: 24)

    /// The words for each bit, behind "no schedule shows".
    private static let names: [(evidence: Evidence, words: String)] = [
        (.call, "a call that is answered"), (.secondCall, "two calls of one user at once"),
        (.refresh, "a refresh"), (.replacement, "which token a refresh replaces"),
        (.refreshToken, "the refresh token of a refresh"),
        (.refreshAnswer, "a response to a refresh"), (.refreshed, "a refresh that succeeds"),
        (.refusal, "a call refused as expired"),
        (.lateRefusal, "a refusal of a token that has been replaced"),
        (.refusedAgain, "a call refused with two tokens"),
        (.sentAgain, "a call with a token that is sent again"),
        (.failure, "an attempt that fails"), (.write, "a call that changes something"),
        (.store, "tokens in the app's store"), (.storeChange, "a change of the app's store"),
        (.callAfterChange, "a call after new tokens were stored"), (.leaving, "a log-out"),
        (.sessionEnd, "a refresh that is told the session is over"),
        (.secondSession, "tokens of a second user or sign-in"),
        (.action, "an action that ends"), (.list, "a list on a screen"),
        (.comeBack, "an app that comes back"), (.calm, "an action after the last fault"),
        (.rotation, "a server that takes a refresh token once"), (.crowd, "eight users"),
    ]

    /// Each thing in words, in a fixed order: `a refresh`.
    public var words: [String] {
        Evidence.names.filter { contains($0.evidence) }.map(\.words)
    }
}
