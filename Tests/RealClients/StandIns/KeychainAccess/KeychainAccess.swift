import Foundation

/// A keychain in memory under KeychainAccess's name, whose own needs Apple's Security.
public final class Keychain: @unchecked Sendable {
    // Safe because each access is under the lock.

    /// What a keychain that is opened in this task has from before.
    public static let contents = TaskLocal<[String: String]>(wrappedValue: [:])

    private let lock = NSLock()
    private var values = Keychain.contents.get()

    /// A keychain with what the task has from before.
    public init(service: String) {}

    /// What it keeps under a name.
    public subscript(key: String) -> String? {
        get { lock.withLock { values[key] } }
        set { lock.withLock { values[key] = newValue } }
    }
}
