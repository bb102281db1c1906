import SquallFormat
import SquallKernel

/// The format of profile files as text for people.
public enum ProfileReference {
    /// Every setting with its type, range, default and purpose; at most 80 columns wide.
    public static func text(for vocabulary: ProfileVocabulary) -> String {
        let sections = [
            ([], Profile.settings(vocabulary)),
            (
                ["Stages of arrivals: an object with exactly one of these", ""],
                ArrivalShapes.format.shape.inner.settings
            ),
            (
                ["Distributions: a duration, or an object with exactly one of these", ""],
                Distribution.lawFormat().shape.inner.settings
            ),
        ]
        return text(sections.map { $0 + $1.reference.flatMap(\.lines) }.joined(separator: [""]))
    }

    /// One setting and its contents, by a path such as `backend.tokens` or `populations[0].design`,
    /// or as errors name it, `/populations/0/design`; nil for an unknown setting.
    public static func text(of path: String, _ vocabulary: ProfileVocabulary) -> String? {
        let path = path.replacing(/\/(\d+)/) { "[\($0.output.1)]" }.replacing(/^\//, with: "")
            .replacing("/", with: ".").replacing(/\[\d+\]/, with: "[]")
        let entries = Profile.settings(vocabulary).reference.filter { entry in
            entry.path == path || entry.path.hasPrefix(path + ".")
                || entry.path.hasPrefix(path + "[")
        }
        return entries.isEmpty ? nil : text(entries.flatMap(\.lines))
    }

    /// The paths of all settings, as `populations[].design`.
    public static func paths(_ vocabulary: ProfileVocabulary) -> [String] {
        Profile.settings(vocabulary).reference.map(\.path)
    }

    private static func text(_ lines: some Sequence<String>) -> String {
        lines.map { $0 + "\n" }.joined()
    }
}
