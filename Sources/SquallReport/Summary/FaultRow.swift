public import SquallFormat

/// Whether successful steps and the server's queue recovered after a fault.
public struct FaultRow: Codable, Sendable {
    /// The fault.
    let name: String
    /// When it began.
    public let startNanoseconds: Int64
    /// When it ended; equal to its beginning if it was over at once.
    public let endNanoseconds: Int64
    /// Successful steps per second in the minute before; nil when nothing was measured then.
    @OrNull public private(set) var goodputBefore: Double?
    /// Successful steps per second in the ten seconds with the fewest that began during the fault;
    /// nil when nothing was measured then.
    @OrNull private(set) var goodputLowest: Double?
    /// Successful steps per second in the last minute of the run; nil without time after it.
    @OrNull public private(set) var goodputAfter: Double?
    /// Whether those ten seconds were below 90 % of the level before by more than chance explains.
    public let goodputLeftRange: Bool
    /// Whether the goodput came back, and how long after the fault's end.
    public let goodputRecovery: Recovery
    /// How the server's queue fared; nil when that was not measured.
    @OrNull public private(set) var backlog: Backlog?
    /// Whether both came back, and how long after the fault's end the later one did.
    public let recovery: Recovery

    /// Makes the row of one population or of all users.
    public init(
        name: String, startNanoseconds: Int64, endNanoseconds: Int64, goodputBefore: Double?,
        goodputLowest: Double? = nil, goodputAfter: Double?, goodputLeftRange: Bool = true,
        recovery: Recovery, backlog: Backlog? = nil
    ) {
        self.name = name
        self.startNanoseconds = startNanoseconds
        self.endNanoseconds = endNanoseconds
        self.goodputBefore = goodputBefore
        self.goodputLowest = goodputLowest
        self.goodputAfter = goodputAfter
        self.goodputLeftRange = goodputLeftRange
        self.goodputRecovery = recovery
        self.backlog = backlog
        self.recovery = .longest(of: [recovery] + [backlog?.recovery].compactMap(\.self))
    }

    /// The row of the whole with its parts' recovery: it has recovered when all parts have.
    public func recovered(as parts: [FaultRow]) -> FaultRow {
        FaultRow(
            name: name, startNanoseconds: startNanoseconds, endNanoseconds: endNanoseconds,
            goodputBefore: goodputBefore, goodputLowest: goodputLowest, goodputAfter: goodputAfter,
            goodputLeftRange: goodputLeftRange || parts.contains(where: \.goodputLeftRange),
            recovery: .longest(of: parts.map(\.goodputRecovery)), backlog: backlog)
    }

    /// Whether goodput or backlog was ever out of its range.
    public var leftRange: Bool { goodputLeftRange || backlog?.leftRange == true }
}
