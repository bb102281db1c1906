import SquallClient
import Synchronization

/// The two tokens as Keychain items: a write removes the item and then adds it anew.
///
/// A reader in between finds nothing.
final class OOTDKeychain: Sendable {
    /// The names of the items.
    enum Item: Sendable {
        case token, refreshToken
    }

    /// How long an item is missing while it is written: each call is a round trip to another
    /// process; a millisecond is an assumption.
    static let gapNanoseconds: Int64 = 1_000_000

    private struct Items {
        var token: String?
        var refreshToken: String?

        subscript(item: Item) -> String? {
            get { item == .token ? token : refreshToken }
            set {
                if item == .token { token = newValue } else { refreshToken = newValue }
            }
        }
    }

    private let items = Mutex(Items())
    private let time: any TimeSource

    init(time: any TimeSource) { self.time = time }

    /// The value of an item, if it is there at this moment.
    func read(_ item: Item) -> String? { items.withLock { $0[item] } }

    /// Removes an item and adds it with another value.
    func write(_ value: String, to item: Item) async {
        items.withLock { $0[item] = nil }
        try? await time.sleep(nanoseconds: Self.gapNanoseconds)
        items.withLock { $0[item] = value }
    }

    /// Puts both items there, as after an earlier sign-in.
    func restore(token: String, refreshToken: String) {
        items.withLock { $0 = Items(token: token, refreshToken: refreshToken) }
    }

    /// Removes both items.
    func removeAll() { items.withLock { $0 = Items() } }
}

/// For the reference design: both items change in place, so no reader finds one missing.
extension OOTDKeychain: TokenStore {
    func read() async -> TokenPair? {
        items.withLock { items in
            guard let token = items.token, let refreshToken = items.refreshToken else { return nil }
            return TokenPair(access: token, refresh: refreshToken)
        }
    }

    func write(_ pair: TokenPair) async {
        restore(token: pair.access, refreshToken: pair.refresh)
    }

    func erase() async { removeAll() }
}
