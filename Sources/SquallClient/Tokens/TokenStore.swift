import Synchronization

/// The two tokens of one sign-in, which belong together.
///
/// It never writes the tokens into a text: what is printed may end up in a report.
public struct TokenPair: Hashable, Sendable {
    /// The token that requests carry.
    public let access: String
    /// The token that buys new tokens.
    public let refresh: String
    /// When the access token expires, in nanoseconds since 1970; `nil` when that is not known.
    public let accessExpiry: Int64?

    /// A pair from its parts.
    public init(access: String, refresh: String, accessExpiry: Int64? = nil) {
        self.access = access
        self.refresh = refresh
        self.accessExpiry = accessExpiry
    }
}

extension TokenPair: CustomStringConvertible, CustomReflectable {
    /// The type's name alone.
    public var description: String { "TokenPair" }
    /// Nothing to look into.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

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
