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
}
