import SquallFormat

extension FindingRule {
    /// Self-checks that failed: no other number of the run can be trusted.
    static let brokenLaws = FindingRule { summary in
        summary.selfChecks.filter { !$0.ok }.map { check in
            Finding(
                label: "selfCheck.broken", headline: "a self-check failed",
                detail: "\(check.name): \(check.detail)", section: "Self-checks", failsRun: true)
        }
    }
}
