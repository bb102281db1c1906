import SquallApps
import SquallBackend
import SquallFormat
import SquallKernel
import SquallLab
import SquallServices

/// The result of one visit to the payment page, and of another one after it.
struct PaymentCourse: Sendable {
    /// The behaviour of the provider or the server.
    let behaviour: ProviderBehaviour
    /// The calls of the app's screens after the tap, in order, including refreshes.
    let sent: [String]
    /// The outcome that the user saw; `nil` if the screen still waited after two minutes.
    let outcome: StepOutcome?
    let charged: Int
    /// The number of those charges that the server booked.
    let booked: Int
    /// The outcome of trying to pay again, with a correct provider.
    let again: StepOutcome?
    /// The number of charges after that.
    let chargedThen: Int
}

extension PhoneWorld {
    /// A phone and a provider that never cancels by itself, with other people's posts.
    convenience init(paying subject: DesignSubject, seed: UInt64) {
        var services = subject.place.services
        services.payments.cancelProbability = 0
        services.payments.duration = .constant(nanoseconds: 3 * Span.second)
        self.init(
            subject, services: services, seed: seed, backendPlan: .ofOnePhone(accounts: 20))
    }

    /// The result of a payment with a behaviour; `nil` for an app that sells nothing.
    ///
    /// - Throws: what stops a simulation.
    static func course(
        of behaviour: ProviderBehaviour, _ subject: DesignSubject, seed: UInt64
    ) throws -> PaymentCourse? {
        let journey = subject.app.journeys.firstIndex { $0.goal?.isPayment == true }
        guard let journey else { return nil }
        let world = PhoneWorld(paying: subject, seed: seed)
        world.signIn()
        return try world.play { await world.course(of: behaviour, ofJourney: journey) }
    }

    private func course(
        of behaviour: ProviderBehaviour, ofJourney number: Int
    ) async -> PaymentCourse {
        let journey = subject.app.journeys[number]
        let steps = journey.steps
        let payment = steps.firstIndex { $0.name == journey.goal?.step } ?? 0
        for step in 0..<payment { _ = await show((number, step)) }
        page.begin(behaviour) { [backend] in backend.expireAccessTokens() }
        if let failure = behaviour.failure {
            transport.fail(failure) { $0.endpoint.name == journey.goal?.booking }
        }
        let before = transport.sends.count
        let outcome = await show((number, payment))
        let sent = transport.sends.dropFirst(before).filter(\.isOfScreens).map(\.endpoint.name)
        let (charged, booked) = charges
        page.begin(.paid) {}
        var again: StepOutcome?
        for step in payment + 1 < steps.count ? Array(steps.indices[(payment + 1)...]) : [payment] {
            again = await show((number, step))
        }
        return PaymentCourse(
            behaviour: behaviour, sent: sent, outcome: outcome, charged: charged, booked: booked,
            again: again, chargedThen: charges.charged)
    }

    /// The charges and bookings that provider and server know of.
    private var charges: (charged: Int, booked: Int) {
        let tallies = backend.audits.flatMap { $0.tallies(since: Instant(nanoseconds: 0)) }
        let count = { (status: String) in
            tallies.filter { $0.metric == "payments" && $0.status == status }
                .reduce(0) { $0 + $1.users.count }
        }
        return (count("booked") + count("unbooked"), count("booked"))
    }
}

/// A provider's page that gives the app the message of a behaviour; by default that the user has
/// paid.
final class StagedPage: PaymentPage, @unchecked Sendable {
    // Safe because everything happens on the simulation's thread.

    var web: PaymentWebPage?
    private var behaviour = ProviderBehaviour.paid
    private var expire: @Sendable () -> Void = {}

    /// From now on the provider does this.
    func begin(_ behaviour: ProviderBehaviour, expire: @escaping @Sendable () -> Void) {
        (self.behaviour, self.expire) = (behaviour, expire)
    }

    func pay(user: UInt64, merchantUID: String, amount: Int) async -> PaymentCallback {
        let (behaviour, expire) = (behaviour, expire)
        guard behaviour != .cancelled, let web else { return PaymentCallback(.cancelled) }
        let answer = await web.pay(user: user, merchantUID: merchantUID, amount: amount)
        if behaviour == .afterExpiry { expire() }
        return behaviour.callback(answer)
    }
}

/// Nothing here knows an app or an expected answer: every cell is measured, on the app's journey
/// with a payment as its goal.
extension PaymentCourse {
    /// The result for each behaviour of the provider and the server; none of an app that sells
    /// nothing.
    ///
    /// - Throws: what stops a simulation.
    static func all(of subject: DesignSubject) throws -> [PaymentCourse] {
        let seed = try seeds.first {
            try PhoneWorld.course(of: .paid, subject, seed: $0)?.charged ?? 0 > 0
        }
        guard let seed else { return [] }
        return try ProviderBehaviour.allCases.compactMap {
            try PhoneWorld.course(of: $0, subject, seed: seed)
        }
    }

    /// The seeds that are tried until a list begins with something to buy, which is chance.
    private static let seeds: ClosedRange<UInt64> = 1...20

    /// The headings of the columns after the first one.
    static let headings = ["charged", "booked", "the user sees", "pays again", "sent"]

    /// The cells behind the behaviour, in the order of ``headings``.
    var cells: [String] {
        let seen = [outcome, again].map { $0?.label ?? "waits" }
        return ["\(charged)", "\(booked)"] + seen + [
            sent.isEmpty ? "nothing" : calls.joined(separator: ", ")
        ]
    }

    /// The calls that were sent, in the order of first occurrence, each with its count.
    private var calls: [String] {
        sent.grouped { $0 }.map { call, all in all.count > 1 ? "\(call) ×\(all.count)" : call }
    }
}
