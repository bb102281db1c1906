public import Foundation

/// What an app keeps on a device from one start to the next, in the place of the keychain or a
/// file; the settings of `UserDefaults.standard` lie in it too.
public protocol DeviceStorage: AnyObject, Sendable {
    /// What was kept under a key.
    func data(forKey key: String) -> Data?
    /// Keeps something under a key, or nothing any more.
    func set(_ data: Data?, forKey key: String)
}

extension DeviceStorage {
    /// A text that was kept under a key.
    public func string(forKey key: String) -> String? {
        data(forKey: key).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Keeps a text under a key, or nothing any more.
    public func set(_ text: String?, forKey key: String) {
        set(text.map { Data($0.utf8) }, forKey: key)
    }
}

/// A storage that lasts as long as its run.
public final class MemoryStorage: DeviceStorage, @unchecked Sendable {
    // Safe because a world's code all runs on one thread.

    private var kept: [String: Data] = [:]

    /// A storage with nothing in it.
    public init() {}

    /// What was kept under a key.
    public func data(forKey key: String) -> Data? { kept[key] }

    /// Keeps something under a key, or nothing any more.
    public func set(_ data: Data?, forKey key: String) { kept[key] = data }
}
