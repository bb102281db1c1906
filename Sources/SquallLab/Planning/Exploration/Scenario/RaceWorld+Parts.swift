import SquallBackend
import SquallKernel
import SquallRaces

extension History.Setting {
    init(_ plan: BackendPlan, users: Int) {
        self.init()
        isRotating = plan.tokens.refresh.isRotating
        if case .rotatingWithLeeway(let window, _) = plan.tokens.refresh {
            reuseWindowNanoseconds = window
        }
        if case .rotatingWithReplay(let window, _) = plan.tokens.refresh {
            reuseWindowNanoseconds = window
        }
        hasFaults = !plan.faults.isEmpty
        calmFrom = plan.faults.map { min($0.end.nanoseconds, 1 << 60) }.max() ?? 0
        self.users = users
    }
}
