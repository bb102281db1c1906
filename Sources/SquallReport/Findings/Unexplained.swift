import SquallFormat

extension FindingRule {
    /// Counts of metrics that exceed the rows' counts, so that no problem is missed.
    static let unexplained = FindingRule { summary in
        let hangs = summary.total(of: .hangs)?.count ?? summary.hangs.total
        let failed = (summary.total(of: .stepFailed)?.quotient?.part ?? 0) - hangs
        let rows: [(String, Int64, Int64, String)] = [
            ("step.hung", hangs, summary.populations.reduce(0) { $0 + $1.hangs }, "never ended"),
            (
                "step.failed", failed, summary.stepFailures.reduce(0) { $0 + $1.count },
                "failed"
            ),
            (
                "session.lost", summary.total(of: .sessionsLost)?.count ?? 0,
                summary.populations.reduce(0) { $0 + $1.sessionsLost },
                "ended at the sign-in screen"
            ),
        ]
        return rows.compactMap { label, measured, told, words in
            guard measured > told else { return nil }
            let count = measured - told
            return Finding(
                label: label,
                headline: "\(Units.counted(count, "step")) that \(words)",
                count: count, section: "Journeys")
        }
    }
}
