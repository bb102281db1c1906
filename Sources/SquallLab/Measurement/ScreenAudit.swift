import SquallApps
import SquallReport

/// Notes what was wrong on screens although no call failed.
final class ScreenAudit: StepListener {
    static let metrics: [Metric] = [.auditFindings]

    private(set) var found = AuditLedger()
    private let run: MeasuredRun

    init(_ run: MeasuredRun) { self.run = run }

    func restart() { found.restart() }

    func stepEnded(_ step: EndedStep) {
        guard let fault = step.outcome?.silentFault else { return }
        found.note(fault, in: step.user.population) {
            "user \(step.user.number), \(run.steps[step.number].step)"
        }
    }
}
