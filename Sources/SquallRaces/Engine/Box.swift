/// A value that the code in a world leaves for the code that runs the world.
public final class Box<Value>: @unchecked Sendable {
    // Safe because it is used on the thread that runs the world.

    /// The value that was kept last.
    public var value: Value

    /// Keeps a value until another takes its place.
    public init(_ value: Value) { self.value = value }
}
