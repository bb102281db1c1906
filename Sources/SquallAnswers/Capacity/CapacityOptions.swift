/// The options of a search for a capacity.
public struct CapacityOptions: Sendable {
    /// The half-width to reach for the interval, as a share of the answer.
    public var precision = 0.02
    /// The most replications at one value.
    public var replicationsMax = 40
    /// The value to begin at, of which easier ones are tried only if it does not hold; nil for the
    /// profile's own.
    public var from: Double?
    /// The largest value to try; nil for a thousand times the first.
    public var to: Double?
    /// The value at which a search begins that goes on from an earlier one; nil for `from`.
    var start: Double?
    /// The direction in which the thresholds become harder to keep.
    public var direction = CapacityDirection.moreIsWorse
    /// Values to run instead of searching, in rising order; empty for a search.
    public var grid: [Double] = []

    /// The defaults: ± 2 % with at most 40 replications at a value.
    public static let standard = CapacityOptions()

    /// The fewest replications for an interval.
    public static let replicationsMin = 20

    /// The number of replications at a value after a number that is too few.
    func more(than count: Int) -> Int { min(replicationsMax, max(count + 2, count * 3 / 2)) }
}

/// The direction along a setting in which the thresholds become harder to keep.
public enum CapacityDirection: String, CaseIterable, Codable, Sendable {
    /// The search is for the largest value that holds.
    case moreIsWorse
    /// The search is for the least value that holds.
    case moreIsBetter
}
