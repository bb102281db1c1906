import SquallApps
import SquallBackend
import SquallFormat
import SquallKernel
import SquallServices

/// The result of one visit to the payment page.
struct PaymentCourse: Sendable {
    /// What the app sent for its screens after the tap, in order, including refreshes.
    let sent: [String]
    /// What the user saw; `nil` if the screen still waited after two minutes.
    let outcome: StepOutcome?
    /// The number of charges.
    let charged: Int
    /// The number of those charges that the server booked.
    let booked: Int
    /// What the user saw on trying to pay again, with a correct provider.
    let again: StepOutcome?
    /// The number of charges after that.
    let chargedThen: Int
}

/// The world of one payment: a phone, the app's server, a provider that does as it is told.
final class PaymentWorld: @unchecked Sendable {
    // Safe because everything happens on the simulation's thread.

    private static let patienceNanoseconds = 120 * Span.second

    private let behaviour: ProviderBehaviour
    private let journey: (number: Int, description: JourneyDescription)
    private let world: PhoneWorld
    private let page: StagedPage
    private var transport: NotedTransport { world.transport }

    /// `nil` for an app that sells nothing.
    init?(_ behaviour: ProviderBehaviour, _ subject: DesignSubject, seed: UInt64) {
        let journeys = Array(subject.app.journeys.enumerated())
        guard let found = journeys.first(where: { $0.element.goal?.isPayment == true }) else {
            return nil
        }
        self.behaviour = behaviour
        journey = (found.offset, found.element)
        (world, page) = StagedPage.inWorld(of: subject, seed: seed)
        world.app.restore(world.account())
    }

    func run() throws -> PaymentCourse { try world.play { [self] in await play() } }

    private func play() async -> PaymentCourse {
        let steps = journey.description.steps
        let payment = steps.firstIndex { $0.name == journey.description.goal?.step } ?? 0
        for step in 0..<payment { _ = await take(step) }
        page.begin(behaviour) { [world] in world.backend.expireAccessTokens() }
        if let failure = behaviour.failure {
            transport.fail(failure) { $0.endpoint.name == Self.validation }
        }
        let before = transport.sends.count
        let outcome = await take(payment)
        let sent = transport.sends.dropFirst(before).filter(\.isOfScreens).map(\.endpoint.name)
        let (charged, booked) = charges
        page.begin(.paid) {}
        var again: StepOutcome?
        for step in payment + 1 < steps.count ? Array(steps.indices[(payment + 1)...]) : [payment] {
            again = await take(step)
        }
        return PaymentCourse(
            sent: sent, outcome: outcome, charged: charged, booked: booked, again: again,
            chargedThen: charges.charged)
    }

    private func take(_ step: Int) async -> StepOutcome? {
        let number = journey.number
        let outcome = await world.patiently(nanoseconds: Self.patienceNanoseconds) { [world] in
            await world.app.perform(step: step, ofJourney: number)
        }
        // What no screen waits for, such as pictures, comes to its end meanwhile.
        try? await world.simulation.sleep(nanoseconds: 20 * Span.second)
        return outcome
    }

    /// The charges and bookings that provider and server know of.
    private var charges: (charged: Int, booked: Int) {
        let tallies = world.backend.audits.flatMap { $0.tallies(since: Instant(nanoseconds: 0)) }
        let count = { (status: String) in
            tallies.filter { $0.metric == "payments" && $0.status == status }
                .reduce(0) { $0 + $1.users.count }
        }
        return (count("booked") + count("unbooked"), count("booked"))
    }

    private static let validation = "validatePayment"
}

/// A provider's page that tells the app what a behaviour wants it told; by default that the user
/// has paid.
final class StagedPage: PaymentPage, @unchecked Sendable {
    // Safe because everything happens on the simulation's thread.

    private let page: PaymentWebPage
    private var behaviour = ProviderBehaviour.paid
    private var expire: @Sendable () -> Void = {}

    init(_ page: PaymentWebPage) { self.page = page }

    /// A phone and a provider that never cancels by itself, with other people's posts.
    static func inWorld(of subject: DesignSubject, seed: UInt64) -> (PhoneWorld, StagedPage) {
        var services = subject.place.services
        services.payments.cancelProbability = 0
        services.payments.duration = .constant(nanoseconds: 3 * Span.second)
        let plan = services.payments
        var staged: StagedPage?
        let world = PhoneWorld(
            subject, services: services, seed: seed, backendPlan: .ofOnePhone(accounts: 20)
        ) { simulation, backend, root in
            let page = StagedPage(
                PaymentWebPage(
                    plan, simulation: simulation, transport: backend.webViewTransport,
                    randomness: root))
            staged = page
            return page
        }
        guard let staged else { preconditionFailure("a world makes its page at once") }
        return (world, staged)
    }

    /// From now on the provider does this.
    func begin(_ behaviour: ProviderBehaviour, expire: @escaping @Sendable () -> Void) {
        (self.behaviour, self.expire) = (behaviour, expire)
    }

    func pay(user: UInt64, merchantUID: String, amount: Int) async -> PaymentCallback {
        let (behaviour, expire) = (behaviour, expire)
        guard behaviour != .cancelled else { return PaymentCallback(.cancelled) }
        let answer = await page.pay(user: user, merchantUID: merchantUID, amount: amount)
        if behaviour == .afterExpiry { expire() }
        return behaviour.callback(answer)
    }
}
