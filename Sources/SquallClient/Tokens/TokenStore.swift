/// Where a program keeps its tokens between launches.
///
/// A store has one pair or none. Stores differ in what happens when several tasks use them at once.
public protocol TokenStore: Sendable {
    /// The pair; `nil` when there is none, or only half of one.
    func read() async -> TokenPair?
    /// Puts a pair in the place of whatever is there.
    func write(_ pair: TokenPair) async
    /// Removes the pair.
    func erase() async
}

/// Whether other tasks may run between the steps of a storage.
public enum SchedulingPoint: Hashable, Sendable {
    /// No task runs in between; for load, where it costs nothing.
    case none
    /// Tasks that are ready may run in between, as the schedule decides; for finding races.
    case yields

    /// Lets other tasks run, if they may.
    public func pass() async {
        if self == .yields { await Task.yield() }
    }
}
