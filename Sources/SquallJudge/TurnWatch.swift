/// Calls that were refused at once and each ask for the same refresh, one after the other: as long
/// as that fails, each in turn sends it again.
///
/// Neither connections nor pauses tell them from one client that tries again without a pause; their
/// number does. Where far more calls wait than there are tries, these are one client's; a call may
/// be refused once more after its try.
public struct TurnWatch: Sendable {
    private var (refused, turns) = (0, 0)
    private var latest = Int64.min / 2

    /// A watch of a client of which no call was refused yet.
    public init() {}

    /// Notes that a call was refused; `pause` nanoseconds without anything end the calls' turns,
    /// unless a refresh is open, for which they wait.
    ///
    ///  - Returns: True if the earlier calls' turns are over, and were a few tries of one client.
    public mutating func refused(at now: Int64, pause: Int64, isRefreshing: Bool) -> Bool {
        let isOver = !isRefreshing && now - latest >= pause
        let wereTries = isOver && turns >= 2 && turns * 2 < refused
        if isOver { (refused, turns) = (0, 0) }
        refused += 1
        latest = now
        return wereTries
    }

    /// Notes that a refresh is sent.
    ///
    ///  - Returns: True if it may be another call's than those before.
    public mutating func sent() -> Bool {
        turns += 1
        return turns <= refused
    }

    /// Notes that a refresh has failed.
    public mutating func failed(at now: Int64) { latest = now }
}
