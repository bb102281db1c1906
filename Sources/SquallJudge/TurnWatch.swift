/// Calls that each ask for the same refresh, one after the other: as long as that fails, each in
/// turn sends it again.
///
/// Neither connections nor pauses tell them from one client that tries again without a pause; their
/// number does: as many were refused, or are sent by a screen of a client that looks at its clock.
/// Where far more calls wait than there are tries, these are one client's; a call may be refused
/// once more after its try.
public struct TurnWatch: Sendable {
    private var (refusals, atOnce, turns) = (0, 0, 0)
    private var latest = Int64.min / 2

    /// A watch of a client that has not refreshed yet.
    public init() {}

    /// Notes that a call was refused, or a refresh is sent.
    ///
    /// `pause` nanoseconds without either end the calls' turns, unless a refresh is open, for which
    /// they wait.
    ///
    ///  - Returns: True if the turns before are over, and were a few tries of one client.
    public mutating func goesOn(at now: Int64, pause: Int64, isRefreshing: Bool) -> Bool {
        defer { latest = now }
        guard !isRefreshing, now - latest >= pause else { return false }
        defer { (refusals, turns) = (0, 0) }
        return turns >= 2 && turns * 2 < max(refusals, atOnce)
    }

    /// Notes that a call was refused.
    public mutating func refused() { refusals += 1 }

    /// Notes that a refresh is sent by a client that sends up to `atOnce` calls at once, and
    /// `inTurn` where each comes right after the one before.
    ///
    /// Of calls in turn those that were refused are known to ask; without any, all may.
    ///
    ///  - Returns: True if it may be another call's than those before.
    public mutating func sent(atOnce: Int, inTurn: Int) -> Bool {
        turns += 1
        self.atOnce = atOnce
        return turns <= max(refusals, atOnce, refusals == 0 ? inTurn : 0)
    }

    /// True for more tries than each refused call, and one more of it, explains.
    public var areTooMany: Bool { refusals > 0 && turns > 2 * max(refusals, atOnce) }

    /// Notes that a refresh has failed.
    public mutating func failed(at now: Int64) { latest = now }
}
