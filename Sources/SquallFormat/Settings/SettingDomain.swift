/// The values that a setting may have, for whoever draws some of them.
///
/// It stands beside the words and the schema of a ``SettingShape`` and comes from the same lines,
/// so a new setting is drawn from as soon as it is in the table.
public indirect enum SettingDomain: Sendable {
    /// True or false.
    case flag
    /// Whole numbers.
    case integers(ClosedRange<Int64>)
    /// Any numbers.
    case numbers(ClosedRange<Double>)
    /// Durations, written as texts, in nanoseconds.
    case durations(ClosedRange<Int64>)
    /// All 64 bits.
    case seeds
    /// Texts with so many characters.
    case texts(ClosedRange<Int>)
    /// One of some words.
    case words([String])
    /// Objects with these settings.
    case section([SettingRow])
    /// Objects with exactly one of these settings.
    case oneOf([SettingRow])
    /// Lists of so many values.
    case list(SettingDomain, ClosedRange<Int>)
    /// Lists of one value of each.
    case pair(SettingDomain, SettingDomain)
    /// Objects with some of these names, each with a value.
    case each([String], SettingDomain)
    /// A value of either.
    case either(SettingDomain, SettingDomain)
    /// Something that only who brought it can make.
    case unknown
}
