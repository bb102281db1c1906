/// Thrown where something was given up in the middle because the process was asked to end.
public struct StopRequested: Error, Hashable, Sendable, CustomStringConvertible {
    /// For a log.
    public var description: String { "interrupted before anything was found" }

    /// A request to end was noticed.
    public init() {}
}
