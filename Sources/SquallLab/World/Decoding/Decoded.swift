/// A decoded value; the memory is shared between sessions but holds immutable results only.
final class Decoded<Value>: @unchecked Sendable {
    // Safe because a decoded value is handed out to be read; code that mutates it mutates a copy.
    let value: Value

    init(value: Value) { self.value = value }
}
