internal import HTTP
internal import Kernel

/// The payment provider: shows its page for a while, then takes the money or does not.
public final class PaymentProvider: @unchecked Sendable {
    // Safe because everything happens on the simulation's thread.

    private unowned let farSide: FarSide
    private let plan: PaymentPlan
    private let duration: RandomStream
    private let decision: RandomStream

    init(farSide: FarSide, plan: PaymentPlan, randomness: RandomStream) {
        self.farSide = farSide
        self.plan = plan
        duration = randomness.stream("payment.duration")
        decision = randomness.stream("payment.decision")
    }

    /// Shows the page to a user; the number of the charge, or `nil` when nothing was paid.
    public func pay(user: UInt64, merchantUID: String, amount: Int) async -> String? {
        // One visit a user and second: the merchant's number already carries the second.
        let second = UInt64(farSide.simulation.now.nanoseconds / 1_000_000_000)
        let span = plan.duration.sample(duration.stream(number: user), at: second)
        try? await farSide.simulation.sleep(nanoseconds: span)
        guard !decision.stream(number: user).chance(plan.cancelProbability, at: second) else {
            return nil
        }
        return farSide.contract.ledger.charge(Int(user), merchantUID: merchantUID, amount: amount)
    }
}
