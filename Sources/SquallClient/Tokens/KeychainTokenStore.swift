import Synchronization

/// Secrets by account, with a keychain's operations: an item is added or deleted, never replaced.
public final class Keychain: Sendable {
    /// What an operation comes to.
    public enum Status: Hashable, Sendable {
        /// It did what it says.
        case success
        /// There is an item of that account already, and it stays as it is.
        case duplicateItem
        /// There is no item of that account.
        case itemNotFound
    }

    private let items: Mutex<[String: String]>
    private let schedulingPoint: SchedulingPoint

    /// A keychain with some items.
    public init(_ items: [String: String] = [:], schedulingPoint: SchedulingPoint = .none) {
        self.items = Mutex(items)
        self.schedulingPoint = schedulingPoint
    }

    /// The secret of an account.
    public func secret(of account: String) async -> String? {
        await schedulingPoint.pass()
        return items.withLock { $0[account] }
    }

    /// Adds an item, unless there is one.
    @discardableResult
    public func add(_ secret: String, account: String) async -> Status {
        await schedulingPoint.pass()
        return items.withLock { items in
            guard items[account] == nil else { return .duplicateItem }
            items[account] = secret
            return .success
        }
    }

    /// Deletes an item.
    @discardableResult
    public func delete(account: String) async -> Status {
        await schedulingPoint.pass()
        return items.withLock { items in
            items.removeValue(forKey: account) == nil ? .itemNotFound : .success
        }
    }
}

/// Keeps a pair in a keychain the way most apps do: delete the item, add it anew.
///
/// Between the two there is no token: a reader who comes then finds nobody signed in, a program
/// that is ended then stays without. Of two writers one can find the other's item and keep quiet
/// about it.
public struct KeychainTokenStore: TokenStore {
    private let keychain: Keychain
    private let accessAccount: String
    private let refreshAccount: String

    /// A store in a keychain.
    public init(
        _ keychain: Keychain, accessAccount: String = "accessToken",
        refreshAccount: String = "refreshToken"
    ) {
        self.keychain = keychain
        self.accessAccount = accessAccount
        self.refreshAccount = refreshAccount
    }

    /// The pair, read item after item.
    public func read() async -> TokenPair? {
        guard let access = await keychain.secret(of: accessAccount),
            let refresh = await keychain.secret(of: refreshAccount)
        else { return nil }
        return TokenPair(access: access, refresh: refresh)
    }

    /// Puts a pair in the place of what is there, item after item; the expiry is not kept.
    public func write(_ pair: TokenPair) async {
        await keychain.delete(account: accessAccount)
        await keychain.add(pair.access, account: accessAccount)
        await keychain.delete(account: refreshAccount)
        await keychain.add(pair.refresh, account: refreshAccount)
    }

    /// Removes the pair, item after item.
    public func erase() async {
        await keychain.delete(account: accessAccount)
        await keychain.delete(account: refreshAccount)
    }
}
