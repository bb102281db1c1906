import Foundation
public import SquallHTTP
public import SquallKernel

/// The payment provider's page on a user's phone: shown for a while, then paid or closed.
public struct PaymentWebPage: Sendable {
    /// Where the provider is reached.
    public static let origin = "https://pay.squall.test"

    private let plan: PaymentPlan
    private let simulation: Simulation
    private let transport: any Transport
    private let duration, decision: RandomStream
    private let identity: StreamIdentity

    /// A page that reaches its provider over a network.
    public init(
        _ plan: PaymentPlan, simulation: Simulation, transport: any Transport,
        randomness: RandomStream, identity: StreamIdentity = StreamIdentity()
    ) {
        self.identity = identity
        self.plan = plan
        self.simulation = simulation
        self.transport = transport
        duration = randomness.stream("payment.duration")
        decision = randomness.stream("payment.decision")
    }

    /// Shows the page to a user, and returns what it tells the app when it closes.
    public func pay(user: UInt64, merchantUID: String, amount: Int) async -> PaymentAnswer {
        // A user has one visit a second: the merchant's number already carries the second.
        let visit = UInt64(simulation.now.nanoseconds / 1_000_000_000)
        let span = plan.duration.sample(duration.stream(number: identity.key(of: user)), at: visit)
        try? await simulation.sleep(nanoseconds: span)
        guard
            !decision.stream(number: identity.key(of: user)).chance(
                plan.cancelProbability, at: visit)
        else {
            return .cancelled
        }
        let number = merchantUID.percentEncoded(allowing: \.isUnreservedInURL)
        let url = WebURL(
            origin: PaymentWebPage.origin, path: "/payments",
            query: "merchant_uid=\(number)&amount=\(amount)&visit=\(visit)")
        let answer = try? await transport.send(
            URLRequest(url: url, method: .post), cause: RequestCause(user: user))
        return answer.map(PaymentWebPage.read) ?? .unreached
    }

    private static func read(_ answer: TransportResponse) -> PaymentAnswer {
        guard answer.head.statusCode == 200 else { return .refused }
        let receipt = try? JSONDecoder().decode(Receipt.self, from: Data(answer.body.bytes))
        guard receipt?.success == true else { return .silent }
        guard let impUID = receipt?.imp_uid else { return .paidWithoutReceipt }
        return receipt?.late == true ? .paidLate(impUID: impUID) : .paid(impUID: impUID)
    }

    /// The provider's response to its page.
    private struct Receipt: Decodable {
        let success: Bool?
        let imp_uid: String?
        let late: Bool?
    }
}
