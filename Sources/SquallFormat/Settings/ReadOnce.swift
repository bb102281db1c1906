import Synchronization

/// A value that is computed at first use and then kept, since its text does not change.
final class ReadOnce: Sendable {
    private let value = Mutex<(any Sendable)?>(nil)

    /// The value; `read` computes it the first time.
    func value<Value: Sendable>(_ read: () -> Value) -> Value {
        if let known = value.withLock({ $0 }) as? Value { return known }
        let made = read()
        value.withLock { $0 = made }
        return made
    }
}
