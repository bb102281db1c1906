import SquallFormat

/// A peak: a time with far more refreshes than usual.
///
/// It begins with an interval of at least ten refreshes that holds four times the average, and ends
/// before five intervals in a row hold less than twice the average.
public struct RefreshPeak: Codable, Sendable {
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
    /// The most requests held at the end of one of its intervals; nil for one population.
    @OrNull private(set) var held: Int64?
    /// Users who were signed out during it; nil for one population.
    @OrNull private(set) var sessionsLost: Int64?
    /// Whether as many steps succeeded as before, and how long after its start.
    public let recovery: Recovery

    /// Makes a peak.
    public init(
        startNanoseconds: Int64, peakNanoseconds: Int64, endNanoseconds: Int64, refreshes: Int64,
        peakPerSecond: Double, held: Int64?, sessionsLost: Int64?, recovery: Recovery
    ) {
        self.startNanoseconds = startNanoseconds
        self.peakNanoseconds = peakNanoseconds
        self.endNanoseconds = endNanoseconds
        self.refreshes = refreshes
        self.peakPerSecond = peakPerSecond
        self.held = held
        self.sessionsLost = sessionsLost
        self.recovery = recovery
    }
}
