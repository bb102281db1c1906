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
    /// Whether the largest or the least value is sought; nil to decide by the thresholds.
    public var direction: CapacityDirection?
    /// Values to run instead of searching, in rising order; empty for a search.
    public var grid: [Double] = []
    /// Whether to run loads around the answer for the charts, and to check whether there are other
    /// answers.
    public var surveys = true

    /// The defaults: ± 2 % with at most 40 replications at a value.
    public static let standard = CapacityOptions()

    /// The fewest replications for an interval.
    public static let replicationsMin = 20
}
