import SquallFormat

extension Profile {
    /// The part of a run that is not measured, because it is not yet steady.
    public enum WarmUp: Hashable, Sendable {
        /// Everything is measured.
        case none
        /// A span from the beginning.
        case first(nanoseconds: Int64)
        /// The span that the MSER-5 rule finds in a separate run.
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
