/// A law for durations, as a profile asks for it; all values are nanoseconds.
public enum DistributionSpec: Hashable, Sendable {
    /// Always the same.
    case constant(nanoseconds: Int64)
    /// Anything from `low` to `high`, equally likely.
    case uniform(low: Int64, high: Int64)
    /// `minimum` plus an exponential rest; `mean` is that of the sum.
    case exponential(mean: Int64, minimum: Int64, maximum: Int64?)
    /// A log-normal law by its median and the standard deviation of its logarithm.
    case logNormal(median: Int64, sigma: Double, maximum: Int64?)
    /// A Pareto law by its smallest value and its tail index.
    case pareto(scale: Int64, shape: Double, maximum: Int64?)
    /// Values drawn in proportion to their weights.
    case empirical([WeightedDuration])

    /// One value of an empirical law.
    public struct WeightedDuration: Hashable, Sendable {
        /// The value.
        public let nanoseconds: Int64
        /// How often it comes, in proportion to the other weights.
        public let weight: Int64
    }
}
