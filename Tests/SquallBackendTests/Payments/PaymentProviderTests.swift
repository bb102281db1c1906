import SquallKernel
import Synchronization
import Testing

@testable import SquallBackend

@Suite("The payment provider")
struct PaymentProviderTests {
    /// What a page that is certain to behave so tells the app, and how many charges it makes.
    struct Case: Sendable {
        let change: @Sendable (inout PaymentPlan) -> Void
        let answers: [PaymentAnswer]
        let charges: Int
    }

    @Test(
        "Two users with one merchant number get what the plan says",
        arguments: [
            Case(
                change: { _ in }, answers: [.paid(impUID: "imp_0"), .paid(impUID: "imp_1")],
                charges: 2),
            Case(
                change: { $0.equalMerchantIDs = .refuse },
                answers: [.paid(impUID: "imp_0"), .refused], charges: 1),
            Case(
                change: { $0.equalMerchantIDs = .firstReceipt },
                answers: [.paid(impUID: "imp_0"), .paid(impUID: "imp_0")], charges: 1),
            Case(
                change: { $0.cancelProbability = 1 },
                answers: [.cancelled, .cancelled], charges: 0),
            Case(
                change: { $0.noCallbackProbability = 1 }, answers: [.silent, .silent], charges: 2),
            Case(
                change: { $0.lostReceiptProbability = 1 },
                answers: [.paidWithoutReceipt, .paidWithoutReceipt], charges: 2),
        ])
    func outcomes(behaviour: Case) throws {
        let far = FarSideStage(users: 2) { plan in
            plan.payments.duration = .constant(nanoseconds: 3_000_000_000)
            plan.payments.cancelProbability = 0
            behaviour.change(&plan.payments)
        }
        let answers = Mutex<[PaymentAnswer]>([])
        for user in [UInt64(0), 1] {
            far.simulation.spawn { [provider = far.backend.paymentProvider] in
                let answer = await provider.pay(user: user, merchantUID: "app_7", amount: 100)
                answers.withLock { $0.append(answer) }
            }
        }
        try far.run()
        #expect(answers.withLock { $0 } == behaviour.answers)
        #expect(far.backend.paymentAudit.charges.count == behaviour.charges)
        #expect(far.backend.paymentAudit.unbooked.count == behaviour.charges)
        #expect(
            far.backend.paymentAudit.charges.allSatisfy {
                $0.chargedAt.nanoseconds == 3_000_000_000
            })
    }

    @Test("An audit tells a charge for nothing and a second charge for the same post")
    func audit() {
        func charge(_ user: UInt64, _ number: Int, _ postID: String?) -> ChargeRecord {
            ChargeRecord(
                user: user, merchantUID: "m\(number)", amount: 100, chargedAt: .start,
                postID: postID)
        }
        let charges = [
            charge(1, 0, "a"), charge(1, 1, "b"), charge(2, 2, "a"), charge(1, 3, nil),
            charge(1, 4, "a"),
        ]
        let audit = PaymentAudit(charges: charges)
        #expect(audit.unbooked == [charges[3]] && audit.repeated == [charges[4]])
    }
}
