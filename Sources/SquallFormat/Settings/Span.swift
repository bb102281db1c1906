/// Lengths of time in nanoseconds, for the ranges of settings.
public enum Span {
    /// One thousandth of a second.
    public static let millisecond: Int64 = 1_000_000
    /// One second.
    public static let second = 1_000 * millisecond
    /// Sixty minutes.
    public static let hour = 3_600 * second
    /// 24 hours.
    public static let day = 24 * hour
    /// 366 days: the longest run, and the largest value of a distribution.
    public static let year = 366 * day
    /// How far a device's clock may be set, either way.
    public static let century = 100 * year
}
