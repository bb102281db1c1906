import SquallFormat

/// The format of profile files as text for people.
public enum ProfileReference {
    /// Every setting with its type, range, default and purpose; at most 80 columns wide.
    public static func text(for vocabulary: ProfileVocabulary) -> String {
        let sections = [
            Profile.settings(vocabulary).reference(),
            ["Stages of arrivals: an object with exactly one of these", ""]
                + SettingFormat.oneOf(vocabulary.arrivals.map(\.setting)).shape.inner.settings
                .reference(),
            ["Distributions: a duration, or an object with exactly one of these", ""]
                + vocabulary.laws.shape.inner.settings.reference(),
        ]
        return sections.joined(separator: [""]).map { $0 + "\n" }.joined()
    }
}
