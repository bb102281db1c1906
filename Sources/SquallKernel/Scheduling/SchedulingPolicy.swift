/// Decides which of several things that could run now runs next.
///
/// One file for each policy, and one line in ``SchedulingPolicies`` for those that need only a
/// name. A policy sees what each item is and which user's: a run of priorities by task, of delays
/// by user or of random words all come down to one position.
public protocol SchedulingPolicy: Sendable {
    /// A new run begins: what was decided for the one before says nothing about it.
    mutating func beginRun()

    /// The position to run next; `ready` holds two or more, and the first has waited longest.
    mutating func choose(among ready: [ReadyEvent]) -> Int
}

extension SchedulingPolicy {
    /// Does nothing.
    public mutating func beginRun() {}
}
