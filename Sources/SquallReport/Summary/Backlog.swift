/// How the server's queue fared from a fault's beginning until it was worked off.
///
/// Its range is what waited in the minute before the fault. It leaves its range when more than
/// twice the most of that minute, and one more for each worker, wait while the fault lasts or in
/// the minute after it; it is back when no more wait than the most of that minute.
public struct Backlog: Codable, Equatable, Sendable {
    /// The most that waited at once in the minute before.
    public let before: Int64
    /// The most that waited at once until it was back.
    public let largest: Int64
    /// The longest wait of those who left the queue until it was back.
    public let longestWaitNanoseconds: Int64
    /// Whether it left its range.
    public let leftRange: Bool
    /// When it was back, after the fault's end.
    public let recovery: Recovery

    /// A queue's backlog by its parts.
    public init(
        before: Int64, largest: Int64, longestWaitNanoseconds: Int64, leftRange: Bool,
        recovery: Recovery
    ) {
        self.before = before
        self.largest = largest
        self.longestWaitNanoseconds = longestWaitNanoseconds
        self.leftRange = leftRange
        self.recovery = recovery
    }
}
