import SquallFormat

extension FindingRule {
    /// Self-checks that failed: no other number of the run can be trusted.
    static let brokenLaws = FindingRule { summary in
        summary.selfChecks.filter { !$0.ok }.map { check in
            Finding(
                label: "selfCheck.broken", headline: "a law of any sound run is broken",
                detail: "\(check.name): \(check.detail)", lookAt: "Self-checks", failsRun: true)
        }
    }
}
