import Synchronization

/// Strings under keys, one at a time, as UserDefaults keeps them.
///
/// Any key will do, also a wrong one: a token written under a mistaken key is lost without a word.
public final class KeyValueStorage: Sendable {
    private let strings: Mutex<[String: String]>
    private let schedulingPoint: SchedulingPoint

    /// A storage with some strings.
    public init(_ strings: [String: String] = [:], schedulingPoint: SchedulingPoint = .none) {
        self.strings = Mutex(strings)
        self.schedulingPoint = schedulingPoint
    }

    /// The keys that have a string, sorted.
    public var keys: [String] { strings.withLock { $0.keys.sorted() } }

    /// The string under a key.
    public func string(forKey key: String) async -> String? {
        await schedulingPoint.pass()
        return strings.withLock { $0[key] }
    }

    /// Puts a string under a key, or with `nil` removes what is there.
    public func set(_ string: String?, forKey key: String) async {
        await schedulingPoint.pass()
        strings.withLock { $0[key] = string }
    }

    /// Removes everything under every key, as an app does that signs out by wiping its defaults.
    public func removeAll() async {
        await schedulingPoint.pass()
        strings.withLock { $0.removeAll() }
    }
}

/// Keeps a pair under keys of a storage that it may share with others.
public struct KeyValueTokenStore: TokenStore {
    /// How a pair is laid out.
    public enum Layout: Hashable, Sendable {
        /// Each token under a key of its own, without the expiry: a reader can meet the new access
        /// token beside the old refresh token.
        case separate(accessKey: String, refreshKey: String)
        /// Both under one key, so that a pair is never mixed.
        case together(key: String)
    }

    private let storage: KeyValueStorage
    private let layout: Layout

    /// A store in a storage.
    public init(
        _ storage: KeyValueStorage,
        layout: Layout = .separate(accessKey: "accessToken", refreshKey: "refreshToken")
    ) {
        self.storage = storage
        self.layout = layout
    }

    /// The pair, read key after key.
    public func read() async -> TokenPair? {
        switch layout {
        case .separate(let accessKey, let refreshKey):
            guard let access = await storage.string(forKey: accessKey),
                let refresh = await storage.string(forKey: refreshKey)
            else { return nil }
            return TokenPair(access: access, refresh: refresh)
        case .together(let key):
            return await storage.string(forKey: key).flatMap(TokenPair.init(storedText:))
        }
    }

    /// Puts a pair in the place of what is there, key after key.
    public func write(_ pair: TokenPair) async {
        switch layout {
        case .separate(let accessKey, let refreshKey):
            await storage.set(pair.access, forKey: accessKey)
            await storage.set(pair.refresh, forKey: refreshKey)
        case .together(let key): await storage.set(pair.storedText, forKey: key)
        }
    }

    /// Removes the pair, key after key.
    public func erase() async {
        switch layout {
        case .separate(let accessKey, let refreshKey):
            await storage.set(nil, forKey: accessKey)
            await storage.set(nil, forKey: refreshKey)
        case .together(let key): await storage.set(nil, forKey: key)
        }
    }
}

extension TokenPair {
    /// The pair as one text: access token, refresh token and expiry on a line each.
    var storedText: String {
        access + "\n" + refresh + "\n" + (accessExpiry.map { "\($0)" } ?? "")
    }

    /// Reads `storedText`; `nil` for anything else.
    init?(storedText: String) {
        let lines = storedText.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 3 else { return nil }
        self.init(
            access: String(lines[0]), refresh: String(lines[1]), accessExpiry: Int64(lines[2]))
    }
}
