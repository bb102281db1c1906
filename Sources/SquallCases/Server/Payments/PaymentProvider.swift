import SquallServices
public import SquallBackend
public import SquallHTTP
import SquallKernel

/// The payment provider: takes the money, or refuses to, on a host of its own.
///
/// Only its page speaks to it, so its calls are not the app's.
public final class PaymentProvider: Service {
    /// `payment provider`.
    public let name = "payment provider"
    /// The address where it answers; it stands for the real one.
    public let origins = [PaymentWebPage.origin]
    /// Its only call: to pay.
    public let endpoints = [EndpointDescription("pay", .post, "/payments")]
    private let plan: PaymentPlan
    private let state: ContractState
    private let callback, receipt, lateness: RandomStream

    /// A provider that books its charges in the state of a contract's server.
    init(_ plan: PaymentPlan, on state: ContractState, randomness: RandomStream) {
        self.plan = plan
        self.state = state
        callback = randomness.stream("payment.callback")
        receipt = randomness.stream("payment.receipt")
        lateness = randomness.stream("payment.late")
    }

    /// Always enough workers; the time of their work is part of the user's time on the page.
    public var workplace: Workplace { .own { _, _ in 0 } }

    /// Charges what the page asks for; the visit's number decides what the page is told.
    public func answer(
        _ request: URLRequest, to route: Route?, in scene: ServiceScene
    ) -> Answer {
        let query = Query(request.url.query)
        guard route != nil, let merchantUID = query["merchant_uid"],
            let amount = query["amount"].flatMap({ Int($0) }),
            let visit = query["visit"].flatMap({ UInt64($0) })
        else { return Answer(status: 400) }
        guard let impUID = take(amount, from: Int(scene.user), merchantUID, at: scene.now) else {
            return Answer(status: 402)
        }
        let isSilent = callback.stream(number: scene.streamKey)
            .chance(plan.noCallbackProbability, at: visit)
        if isSilent { return .object { _ in } }
        let isLost = receipt.stream(number: scene.streamKey)
            .chance(plan.lostReceiptProbability, at: visit)
        let isLate = lateness.stream(number: scene.streamKey)
            .chance(plan.lateCallbackProbability, at: visit)
        return .object { object in
            object.member("success", true)
            if isLate { object.member("late", true) }
            if !isLost { object.member("imp_uid", impUID) }
        }
    }

    /// The status and nothing else.
    public func answer(to error: ServiceError) -> Answer { Answer(status: error.usualStatus) }

    private func take(
        _ amount: Int, from user: Int, _ merchantUID: String, at now: Instant
    ) -> String? {
        let earlier = state.contract.ledger.impUID(ofMerchantUID: merchantUID)
        switch plan.equalMerchantIDs {
        case .refuse where earlier != nil: return nil
        case .firstReceipt where earlier != nil: return earlier
        case .charge, .refuse, .firstReceipt:
            return state.contract.ledger.charge(
                user, merchantUID: merchantUID, amount: amount, at: now)
        }
    }
}
