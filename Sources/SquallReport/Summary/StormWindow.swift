public import SquallFormat

/// A peak: a time with far more refreshes than usual.
///
/// It begins with an interval of at least ten refreshes that holds four times the average, and ends
/// before five intervals in a row hold less than twice the average.
public struct StormWindow: Codable, Hashable, Sendable {
    /// When its first interval began.
    public let startNanoseconds: Int64
    /// When the interval with the most refreshes began.
    public let peakNanoseconds: Int64
    /// When its last interval ended.
    public let endNanoseconds: Int64
    /// Refreshes in it.
    public let refreshes: Int64
    /// Refreshes per second in its busiest interval.
    public let peakPerSecond: Double
    /// The most requests held at the end of one of its intervals.
    public let held: Int64
    /// Users who were signed out during it.
    public let signOuts: Int64
    /// Whether the goodput came back.
    private let outcome: Recovery.Outcome
    /// How long after its start as many steps succeeded as before; nil when that did not happen
    /// within the run.
    @OrNull public private(set) var recoveredAfterNanoseconds: Int64?

    private enum CodingKeys: String, CodingKey {
        case refreshes, peakPerSecond, held, signOuts
        case startNanoseconds = "startNs"
        case peakNanoseconds = "peakNs"
        case endNanoseconds = "endNs"
        case outcome = "recovery"
        case recoveredAfterNanoseconds = "recoveredAfterNs"
    }

    /// Makes a window.
    public init(
        startNanoseconds: Int64, peakNanoseconds: Int64, endNanoseconds: Int64, refreshes: Int64,
        peakPerSecond: Double, held: Int64, signOuts: Int64, recovery: Recovery
    ) {
        self.startNanoseconds = startNanoseconds
        self.peakNanoseconds = peakNanoseconds
        self.endNanoseconds = endNanoseconds
        self.refreshes = refreshes
        self.peakPerSecond = peakPerSecond
        self.held = held
        self.signOuts = signOuts
        outcome = recovery.outcome
        recoveredAfterNanoseconds = recovery.nanoseconds
    }

    /// Whether and when the goodput came back.
    public var recovery: Recovery { Recovery(outcome, afterNanoseconds: recoveredAfterNanoseconds) }
}
