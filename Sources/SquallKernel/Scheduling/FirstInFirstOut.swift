/// First in, first out: the order for load runs.
///
/// A simulation neither asks it nor works out which items could run: it costs nothing.
public struct FirstInFirstOut: SchedulingPolicy {
    /// The only one there is.
    public init() {}

    /// Always 0.
    public func choose(among ready: [ReadyEvent]) -> Int { 0 }
}
