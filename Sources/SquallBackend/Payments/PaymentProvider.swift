import SquallHTTP
import SquallKernel

/// The payment provider: shows its page for a while, then takes the money or does not.
public final class PaymentProvider: @unchecked Sendable {
    // Safe because everything happens on the simulation's thread.

    private unowned let farSide: FarSide
    private let plan: PaymentPlan
    private let duration, decision, callback, receipt: RandomStream

    init(farSide: FarSide, plan: PaymentPlan, randomness: RandomStream) {
        self.farSide = farSide
        self.plan = plan
        duration = randomness.stream("payment.duration")
        decision = randomness.stream("payment.decision")
        callback = randomness.stream("payment.callback")
        receipt = randomness.stream("payment.receipt")
    }

    /// Shows the page to a user, and says what it tells the app when it closes.
    public func pay(user: UInt64, merchantUID: String, amount: Int) async -> PaymentAnswer {
        let answer = await show(to: user, merchantUID, amount)
        farSide.observer.paymentPageClosed(on: user, answer)
        return answer
    }

    private func show(to user: UInt64, _ merchantUID: String, _ amount: Int) async -> PaymentAnswer
    {
        // One visit a user and second: the merchant's number already carries the second.
        let visit = UInt64(farSide.simulation.now.nanoseconds / 1_000_000_000)
        let span = plan.duration.sample(duration.stream(number: user), at: visit)
        try? await farSide.simulation.sleep(nanoseconds: span)
        guard !decision.stream(number: user).chance(plan.cancelProbability, at: visit) else {
            return .cancelled
        }
        guard let impUID = take(amount, from: Int(user), merchantUID) else { return .refused }
        if callback.stream(number: user).chance(plan.noCallbackProbability, at: visit) {
            return .silent
        }
        return receipt.stream(number: user).chance(plan.lostReceiptProbability, at: visit)
            ? .paidWithoutReceipt : .paid(impUID: impUID)
    }

    /// The number of a charge; `nil` when the provider refuses.
    private func take(_ amount: Int, from user: Int, _ merchantUID: String) -> String? {
        let earlier = farSide.contract.ledger.impUID(ofMerchantUID: merchantUID)
        switch plan.equalMerchantIDs {
        case .refuse where earlier != nil: return nil
        case .firstReceipt where earlier != nil: return earlier
        case .charge, .refuse, .firstReceipt:
            return farSide.contract.ledger.charge(
                user, merchantUID: merchantUID, amount: amount, at: farSide.simulation.now)
        }
    }
}
