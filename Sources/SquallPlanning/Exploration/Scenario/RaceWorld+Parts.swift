import SquallApps
import SquallBackend
import SquallClient
import SquallHTTP
import SquallKernel
import SquallLab
import SquallRaces
import SquallServices

/// The payment provider's page as an app sees it.
struct RacePage: PaymentPage {
    let page: PaymentWebPage

    func pay(user: UInt64, merchantUID: String, amount: Int) async -> PaymentCallback {
        PaymentCallback(await page.pay(user: user, merchantUID: merchantUID, amount: amount))
    }
}

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
