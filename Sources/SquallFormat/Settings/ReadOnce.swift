import Synchronization

/// A value that is worked out when it is first asked for; a text that stays has one value.
final class ReadOnce: Sendable {
    private let value = Mutex<(any Sendable)?>(nil)

    /// The value, by `read` the first time.
    func value<Value: Sendable>(_ read: () -> Value) -> Value {
        if let known = value.withLock({ $0 }) as? Value { return known }
        let made = read()
        value.withLock { $0 = made }
        return made
    }
}
