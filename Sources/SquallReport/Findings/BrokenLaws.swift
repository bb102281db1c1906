import SquallFormat

extension FindingRule {
    /// Laws of any sound run that do not hold: nothing else in the run can be believed.
    static let brokenLaws = FindingRule { summary in
        summary.selfChecks.filter { !$0.ok }.map { check in
            Finding(
                label: "selfCheck.broken", headline: "a law of any sound run is broken",
                detail: "\(check.name): \(check.detail)", lookAt: "Self-checks", failsRun: true)
        }
    }
}
