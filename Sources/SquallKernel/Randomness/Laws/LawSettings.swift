import SquallFormat

// Helpers that the formats of several laws share.

extension SettingsReader {
    /// What larger values are cut to.
    mutating func maximum(within range: ClosedRange<Int64>) -> Int64 {
        optional("max", .duration(range), "Larger values are cut to this; to 366d by default.")
            ?? Distribution.longest
    }

    /// Reports a parameter that must not exceed another one and does.
    mutating func check(_ small: String, _ value: Int64, isAtMost large: String, _ limit: Int64) {
        guard isSound(small, large),
            let message = path.contradiction(small, value, isAtMost: limit)
        else { return }
        report(at: path, message)
    }
}

extension SettingPath {
    /// What to say when a value exceeds its limit; nil when it does not.
    func contradiction(_ name: String, _ value: Int64, isAtMost limit: Int64) -> String? {
        guard value > limit else { return nil }
        return "\(self): \(name) must be at most \(Units.exact(nanoseconds: limit)),"
            + " got \(Units.exact(nanoseconds: value))"
    }
}
