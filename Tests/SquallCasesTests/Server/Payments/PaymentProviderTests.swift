import SquallKernel
import Synchronization
import TestSupport
import Testing

import SquallBackend
@testable import SquallCases
import SquallServices

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
            Case(
                change: { $0.lateCallbackProbability = 1 },
                answers: [.paidLate(impUID: "imp_0"), .paidLate(impUID: "imp_1")], charges: 2),
        ])
    func outcomes(behaviour: Case) throws {
        var plan = PaymentPlan()
        plan.duration = .constant(nanoseconds: 3_000_000_000)
        plan.cancelProbability = 0
        behaviour.change(&plan)
        let scene = PaymentScene(plan)
        let answers = try scene.pay(users: [0, 1], merchantUID: "app_7", amount: 100)
        #expect(answers == behaviour.answers)
        let ledger = scene.state.contract.ledger
        #expect(ledger.charges.count == behaviour.charges)
        #expect(ledger.unbooked.count == behaviour.charges)
        #expect(ledger.charges.allSatisfy { $0.chargedAt.nanoseconds == 3_000_000_000 })
    }

    @Test("A page's requests to its provider are in no metric")
    func unmeasured() throws {
        let scene = PaymentScene(PaymentPlan())
        _ = try scene.pay(users: [0], merchantUID: "app_7", amount: 100)
        #expect(scene.backend.counters.handedOver == 0 && scene.backend.inFlight == 0)
    }
}

/// A payment provider behind a network, and its page on phones.
private final class PaymentScene {
    let state: ContractState
    let backend: Backend
    private let simulation = Simulation()
    private let page: PaymentWebPage
    private let observer = SilentObserver()

    init(_ plan: PaymentPlan) {
        let root = RandomStream(seed: 1)
        state = ContractState(Contract(ContractPlan(), userCount: 2, randomness: root))
        backend = Backend(
            simulation: simulation, plan: BackendPlan(),
            services: [PaymentProvider(plan, on: state, randomness: root)], randomness: root,
            observer: observer)
        page = PaymentWebPage(
            plan, simulation: simulation, transport: backend.webViewTransport, randomness: root)
    }

    /// What the page tells users who pay at the same instant.
    func pay(users: [UInt64], merchantUID: String, amount: Int) throws -> [PaymentAnswer] {
        let answers = Mutex<[PaymentAnswer]>([])
        for user in users {
            simulation.spawn { [page] in
                let answer = await page.pay(user: user, merchantUID: merchantUID, amount: amount)
                answers.withLock { $0.append(answer) }
            }
        }
        _ = try simulation.run(until: Instant(nanoseconds: .max))
        return answers.withLock { $0 }
    }
}
