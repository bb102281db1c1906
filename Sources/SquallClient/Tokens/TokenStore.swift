/// Where a program keeps its tokens between launches.
///
/// A store has one pair or none. What happens when several tasks use it at once is what the stores
/// differ in.
public protocol TokenStore: Sendable {
    /// The pair; `nil` when there is none, or only half of one.
    func read() async -> TokenPair?
    /// Puts a pair in the place of whatever is there.
    func write(_ pair: TokenPair) async
    /// Removes the pair.
    func erase() async
}

/// Whether others may run between the steps of a storage.
public enum SchedulingPoint: Hashable, Sendable {
    /// Nobody runs in between; for load, where it costs nothing.
    case none
    /// Whoever is ready may run in between, as the schedule decides; for finding races.
    case yields

    /// Lets others run, if they may.
    public func pass() async {
        if self == .yields { await Task.yield() }
    }
}
