public import SquallFormat

/// Whether successful steps recovered after a fault.
public struct FaultRow: Codable, Sendable {
    /// The fault.
    public let name: String
    /// When it began.
    public let startNanoseconds: Int64
    /// When it ended; equal to its beginning if it was over at once.
    public let endNanoseconds: Int64
    /// Successful steps per second in the minute before; nil when nothing was measured then.
    @OrNull public private(set) var goodputBefore: Double?
    /// Successful steps per second in the last minute of the run; nil without time after it.
    @OrNull public private(set) var goodputAfter: Double?
    /// Whether the goodput came back, and how long after its end.
    public let recovery: Recovery

    /// Makes the row of one population or of all users.
    public init(
        name: String, startNanoseconds: Int64, endNanoseconds: Int64, goodputBefore: Double?,
        goodputAfter: Double?, recovery: Recovery
    ) {
        self.name = name
        self.startNanoseconds = startNanoseconds
        self.endNanoseconds = endNanoseconds
        self.goodputBefore = goodputBefore
        self.goodputAfter = goodputAfter
        self.recovery = recovery
    }

    /// The row of the whole with its parts' recovery: it has recovered when all parts have.
    public func recovered(as parts: [FaultRow]) -> FaultRow {
        FaultRow(
            name: name, startNanoseconds: startNanoseconds, endNanoseconds: endNanoseconds,
            goodputBefore: goodputBefore, goodputAfter: goodputAfter,
            recovery: .longest(of: parts.map(\.recovery)))
    }
}
