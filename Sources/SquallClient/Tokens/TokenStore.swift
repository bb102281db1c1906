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
    /// No children, so that a dump shows no token either.
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

/// Keeps a pair in memory; it is read, written and erased as one.
public final class InMemoryTokenStore: TokenStore {
    private let pair: Mutex<TokenPair?>
    private let yields: Bool

    /// A store with a pair or without; to find races, `yields` lets ready tasks run before each
    /// step, as the schedule decides.
    public init(_ pair: TokenPair? = nil, yields: Bool = false) {
        self.pair = Mutex(pair)
        self.yields = yields
    }

    /// The pair as it is now, without a step in which other tasks may run.
    public var current: TokenPair? {
        get { pair.withLock { $0 } }
        set { pair.withLock { $0 = newValue } }
    }

    /// True if there is no pair now, without a step in which other tasks may run.
    public var isEmpty: Bool { pair.withLock { $0 == nil } }

    /// The pair.
    public func read() async -> TokenPair? {
        if yields { await Task.yield() }
        return current
    }

    /// Puts a pair in the place of whatever is there.
    public func write(_ newPair: TokenPair) async {
        if yields { await Task.yield() }
        current = newPair
    }

    /// Removes the pair.
    public func erase() async {
        if yields { await Task.yield() }
        current = nil
    }
}
