/// How a search for a capacity goes about it.
public struct CapacityOptions: Hashable, Sendable {
    /// The half-width of the interval to reach, as a share of the answer.
    public var precision: Double
    /// The most replications at one value.
    public var replicationsMax: Int
    /// Where to begin; nil for what the profile says.
    public var from: Double?
    /// The largest value to try; nil for a thousand times the beginning.
    public var to: Double?
    /// Whether the largest value is sought or the least; nil for what the thresholds say.
    public var direction: CapacityDirection?
    /// Values to run instead of searching, in rising order; none for a search.
    public var grid: [Double]
    /// Whether loads around the answer are run for the charts, and to see whether it is the only
    /// one.
    public var surveys: Bool

    /// What holds when nothing is said: ± 2 % with at most 40 replications at a value.
    public static let standard = CapacityOptions(
        precision: 0.02, replicationsMax: 40, from: nil, to: nil, direction: nil, grid: [],
        surveys: true)

    /// The fewest replications that an interval is made of.
    public static let replicationsMin = 20
}
