import Synchronization

/// Keeps a pair in memory; it is read, written and erased as one.
public final class InMemoryTokenStore: TokenStore {
    private let pair: Mutex<TokenPair?>
    private let schedulingPoint: SchedulingPoint

    /// A store with a pair or without.
    public init(_ pair: TokenPair? = nil, schedulingPoint: SchedulingPoint = .none) {
        self.pair = Mutex(pair)
        self.schedulingPoint = schedulingPoint
    }

    /// The pair.
    public func read() async -> TokenPair? {
        await schedulingPoint.pass()
        return pair.withLock { $0 }
    }

    /// Puts a pair in the place of whatever is there.
    public func write(_ newPair: TokenPair) async {
        await schedulingPoint.pass()
        pair.withLock { $0 = newPair }
    }

    /// Removes the pair.
    public func erase() async {
        await schedulingPoint.pass()
        pair.withLock { $0 = nil }
    }
}
