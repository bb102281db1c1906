import SquallFormat

extension Profile {
    /// Which part of a run is not measured, because it is not yet what the run is about.
    public enum WarmUp: Hashable, Sendable {
        /// Everything is measured.
        case none
        /// So much from the beginning.
        case first(nanoseconds: Int64)
        /// What the MSER-5 rule finds in a run made for that purpose.
        case mser5
    }
}

extension Profile.WarmUp {
    static var format: SettingFormat<Profile.WarmUp> {
        .oneOf([
            Setting(
                "for", SettingFormat.duration(0...Span.year),
                "So much of the beginning is not measured."
            ).map { .first(nanoseconds: $0) },
            Setting(
                "rule", SettingFormat.words(["mser5"]),
                "The run is made twice: first to find where MSER-5 ends the warm-up."
            ).map { (_: String) in .mser5 },
        ])
    }
}
