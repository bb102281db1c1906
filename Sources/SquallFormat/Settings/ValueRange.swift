/// Texts of ranges for messages and documentation: `1…10 000 000`, `1s…30d`, `1`.
enum ValueRange {
    static func text(_ range: ClosedRange<Int64>) -> String {
        text(Units.grouped(range.lowerBound), Units.grouped(range.upperBound))
    }

    static func text(_ range: ClosedRange<Double>) -> String {
        text(Units.threeDigits(range.lowerBound), Units.threeDigits(range.upperBound))
    }

    static func text(_ range: ClosedRange<Int>) -> String {
        text(Int64(range.lowerBound)...Int64(range.upperBound))
    }

    static func text(durations range: ClosedRange<Int64>) -> String {
        text(Units.exact(nanoseconds: range.lowerBound), Units.exact(nanoseconds: range.upperBound))
    }

    private static func text(_ low: String, _ high: String) -> String {
        low == high ? low : "\(low)…\(high)"
    }
}

/// Lengths of time in nanoseconds, for the ranges of settings.
public enum Span {
    /// One thousandth of a second.
    public static let millisecond: Int64 = 1_000_000
    /// One second.
    public static let second = 1_000 * millisecond
    /// Sixty seconds.
    public static let minute = 60 * second
    /// Sixty minutes.
    public static let hour = 60 * minute
    /// 24 hours.
    public static let day = 24 * hour
    /// 366 days: the longest run, and the largest value of a distribution.
    public static let year = 366 * day
    /// The most that a device's clock may be set, either way.
    public static let century = 100 * year
}

/// The values that a setting may have, for code that draws random ones.
///
/// It comes from the same lines as the words and schema of a ``SettingShape``, so a new setting is
/// drawn as soon as it is in the table.
public indirect enum SettingDomain: Sendable {
    /// True or false.
    case flag
    /// Whole numbers.
    case integers(ClosedRange<Int64>)
    /// Any numbers.
    case numbers(ClosedRange<Double>)
    /// Durations, written as texts, in nanoseconds.
    case durations(ClosedRange<Int64>)
    /// All numbers of 64 bits.
    case seeds
    /// Texts with a number of characters in the range.
    case texts(ClosedRange<Int>)
    /// One of some words.
    case words([String])
    /// Objects with these settings.
    case section([SettingRow])
    /// Objects with exactly one of these settings.
    case oneOf([SettingRow])
    /// Lists with a number of values in the range.
    case list(SettingDomain, ClosedRange<Int>)
    /// Lists of one value from each.
    case pair(SettingDomain, SettingDomain)
    /// Objects with some of the names, each with a value.
    case each([String], SettingDomain)
    /// A value from either domain.
    case either(SettingDomain, SettingDomain)
    /// A value that only its own package can make.
    case unknown
    /// Any JSON value.
    case anything
}
