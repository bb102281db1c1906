import SquallAnswers
import SquallBackend
import SquallFormat
import SquallLab
import SquallRaces
import SquallReport
import SquallServices

/// A topic of the help besides the commands.
struct HelpTopic: Sendable {
    /// Its name after `squall help`.
    let name: String
    /// Its text, made from the code that it describes.
    let text: @Sendable (Invocation) -> String

    /// The names that the text explains, for shell completion; nil where no option takes them as
    /// values.
    var names: (@Sendable (Invocation) -> [String])?

    /// All topics, in the order of the help.
    static let all: [HelpTopic] = [
        profile,
        HelpTopic(name: "metrics") { _ in
            MetricCatalogue.installed.text + "\n" + KeyMetrics.guide.text
        } names: { _ in
            MetricCatalogue.installed.names
        },
        HelpTopic(name: "thresholds") { _ in ThresholdGuide.parts.text },
        HelpTopic(name: "audits") { _ in
            let kinds = AuditKind.installed.map { ($0.name, $0.meaning) }
            return [(audits, []), ("", kinds)].text
        },
        journeys,
        HelpTopic(name: "service") { _ in ServiceGuide.parts.text },
        HelpTopic(name: "races") { _ in RaceGuide.parts.text },
        HelpTopic(name: "words") { _ in
            [("", Glossary.entries.map { ($0.word, $0.meaning) })].text
        },
        HelpTopic(name: "exit-codes") { _ in HelpText.exitCodes },
        environment,
    ]

    static func named(_ name: String) -> HelpTopic? { all.first { $0.name == name } }

    /// Every setting of a profile.
    static let profile = HelpTopic(name: "profile") {
        ProfileReference.text(for: $0.tool.runner.vocabulary)
    } names: {
        ProfileReference.paths($0.tool.runner.vocabulary)
    }

    private static let audits =
        "Problems without a failed call: an audit compares what each user sees at the end with the"
        + " server's data. audit_findings counts differences by cause; a cause may have details"
        + " after a dot, such as the screen."
}
