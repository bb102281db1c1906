import SquallBackend
import SquallFormat
import SquallLab

extension HelpTopic {
    /// What can be wrong although no call failed.
    static let audits = HelpTopic(name: "audits") { _ in
        let intro =
            "What can be wrong although no call failed: what people were left with is held against"
            + " what the server holds. audit_findings counts them by cause; a cause may carry more"
            + " after a dot, such as the screen."
        let entries = AuditKind.installed.map { ($0.name, $0.meaning) }
        return (Prose.lines(intro) + [""] + definitions(entries)).lines
    }
}
