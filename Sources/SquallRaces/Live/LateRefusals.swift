import SquallHTTP
import SquallJudge

/// Calls in turn that a real server refuses with 403 and a token with which it had taken the same
/// calls: some say so that a token has expired, and the proxy cannot know it.
struct LateRefusals {
    private var token: TokenNumber?
    /// The calls that were taken with it, by path.
    private var taken: Set<UInt64> = []
    private var count = 0
    private var latest = Int64.min

    private static let takenMax = 64
    /// So many in turn are no call that was forbidden meanwhile.
    private static let rowMin = 3

    mutating func accepted(_ sent: LiveRequest, with access: TokenNumber) {
        if token != access { (self, token) = (LateRefusals(), access) }
        count = 0
        if taken.count < Self.takenMax { taken.insert(LiveCalls.path(sent.request)) }
    }

    /// Notes that a call is refused; returns how many are told by it.
    mutating func refused(_ sent: LiveRequest, at now: Int64) -> Int {
        // Calls at once are refused before a client can know of the first one.
        guard let token, sent.access == token, sent.sentAt > latest,
            taken.contains(LiveCalls.path(sent.request))
        else { return 0 }
        count += 1
        latest = now
        return count < Self.rowMin ? 0 : count == Self.rowMin ? count : 1
    }
}
