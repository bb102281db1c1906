public import SquallFormat

/// Whether the successful steps came back after something was done to the server.
public struct TriggerRow: Codable, Hashable, Sendable {
    /// What was done.
    public let name: String
    /// From when.
    public let startNanoseconds: Int64
    /// Until when; the start when it was over at once.
    public let endNanoseconds: Int64
    /// Successful steps each second in the minute before; nil when nothing was measured before.
    @OrNull public private(set) var goodputBefore: Double?
    /// Successful steps each second in the last minute of the run; nil without time after it.
    @OrNull public private(set) var goodputAfter: Double?
    /// Whether the goodput came back.
    private let outcome: Recovery.Outcome
    /// How long after its end the goodput was back; nil when it was not within the run.
    @OrNull public private(set) var recoveredAfterNanoseconds: Int64?
    /// Whether the system stayed down although nothing was wrong with it any more.
    public let isMetastable: Bool

    private enum CodingKeys: String, CodingKey {
        case name, goodputBefore, goodputAfter, isMetastable
        case startNanoseconds = "startNs"
        case endNanoseconds = "endNs"
        case outcome = "recovery"
        case recoveredAfterNanoseconds = "recoveredAfterNs"
    }

    /// What one part of the users went through, or all of them.
    public init(
        name: String, startNanoseconds: Int64, endNanoseconds: Int64, goodputBefore: Double?,
        goodputAfter: Double?, recovery: Recovery
    ) {
        self.name = name
        self.startNanoseconds = startNanoseconds
        self.endNanoseconds = endNanoseconds
        self.goodputBefore = goodputBefore
        self.goodputAfter = goodputAfter
        outcome = recovery.outcome
        recoveredAfterNanoseconds = recovery.nanoseconds
        isMetastable = recovery == .metastable
    }

    /// The same for a whole whose parts went through it too: it has recovered when they all have.
    public func recovered(as parts: [TriggerRow]) -> TriggerRow {
        TriggerRow(
            name: name, startNanoseconds: startNanoseconds, endNanoseconds: endNanoseconds,
            goodputBefore: goodputBefore, goodputAfter: goodputAfter,
            recovery: .longest(of: parts.map(\.recovery)))
    }

    /// Whether and when the goodput came back.
    public var recovery: Recovery { Recovery(outcome, afterNanoseconds: recoveredAfterNanoseconds) }
}
