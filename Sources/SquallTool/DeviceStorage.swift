public import Foundation

/// What an app keeps on a device from one start to the next, in place of the keychain or a file;
/// the settings of `UserDefaults.standard` are kept in it too.
public protocol DeviceStorage: AnyObject, Sendable {
    /// The value of a key.
    func data(forKey key: String) -> Data?
    /// Sets the value of a key; `nil` removes it.
    func set(_ data: Data?, forKey key: String)
}

extension DeviceStorage {
    /// The value of a key as text.
    public func string(forKey key: String) -> String? {
        data(forKey: key).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Sets the value of a key to a text; `nil` removes it.
    public func set(_ text: String?, forKey key: String) {
        set(text.map { Data($0.utf8) }, forKey: key)
    }
}

/// A storage that lasts as long as its run.
public final class MemoryStorage: DeviceStorage, @unchecked Sendable {
    // Safe because a world's code all runs on one thread.

    private var kept: [String: Data] = [:]

    /// A storage in which nothing is kept yet.
    public init() {}

    /// The value of a key.
    public func data(forKey key: String) -> Data? { kept[key] }

    /// Sets the value of a key; `nil` removes it.
    public func set(_ data: Data?, forKey key: String) { kept[key] = data }
}
