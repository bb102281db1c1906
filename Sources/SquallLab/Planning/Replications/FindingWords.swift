import SquallBackend

/// The kinds of findings in words, for answers over several runs, which count no occurrences.
enum FindingWords {
    /// `redundant refreshes (storm)`; the label alone where it has no words.
    static func words(_ label: String) -> String {
        let audit = AuditKind.installed.first {
            label == $0.name || label.hasPrefix($0.name + ".")
        }
        return (audit?.many ?? ofRules[label]).map { "\($0) (\(label))" } ?? label
    }

    /// The labels of rules that are no audits.
    private static let ofRules = [
        "attempt.failed": "failed attempts",
        "expiry.neverRefreshed": "expired responses that no refresh followed",
        "fault.backlog": "a backlog after a fault",
        "fault.metastable": "no recovery from a fault: metastable",
        "fault.unrecovered": "no recovery from a fault",
        "load.notAchieved": "less load than planned",
        "reading.outOfOrder": "lists out of order",
        "session.lost": "sessions lost",
        "step.failed": "failed steps",
        "step.hung": "steps that never ended",
        "storm": "redundant refreshes",
        "storm.loop": "refresh loops",
    ]
}
