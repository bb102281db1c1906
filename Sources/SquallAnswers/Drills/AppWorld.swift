import SquallApps
import SquallBackend
import SquallKernel
import SquallLab
import SquallRaces
import SquallServices

/// The world of a drill of an app: one phone, the services, constant latencies.
final class AppWorld: ClientWorld, @unchecked Sendable {
    // Safe because everything happens on the simulation's thread.

    let simulation: Simulation
    let tap: WireTap
    /// An app has storage of its own, which a drill cannot make fail.
    let storage: (any DrilledStorage)? = nil
    var origin: String { client.app.origin }
    private let client: AppUnderTest
    let backend: Backend
    private let installer: Installer
    private let network: DrilledNetwork
    private let phone: Phone
    /// The account of the user who holds the phone, which signs in.
    private var account = 0

    init(
        _ client: AppUnderTest, _ setting: ServerConfiguration, _ schedule: Schedule,
        _ plan: ExplorationPlan
    ) {
        self.client = client
        simulation = Simulation(schedule)
        tap = WireTap(drilling: simulation, schedule)
        var services = client.services
        services.failureHeaders = setting.failureHeaders
        installer = Installer(
            of: [client.app], in: simulation, BackendPlan(drilled: setting), services,
            users: ServerConfiguration.users, randomness: RandomStream(seed: plan.seed),
            observer: tap, preemptions: plan.preemptions)
        backend = installer.backend
        network = DrilledNetwork(backend.transport)
        phone = Phone(installer, client.population)
    }

    func end() {
        installer.tearDown(phone.lives.map(\.environment)) { [network, phone] in
            for life in phone.lives { life.app.stepEnded() }
            network.close()
        }
    }

    func kill(life: Int) { network.disconnect(UInt64(life)) }

    func setClock(aheadBy span: Duration) {
        phone.clock.set(aheadBy: span.nanosecondsClamped)
    }
}

extension AppWorld {
    func startApp(life: Int) -> DrillClient {
        phone.start(as: UInt64(life), over: network) { [unowned self] _ in UInt64(account) }
        return client(of: phone.app)
    }

    private func client(of app: any InstalledApp) -> DrillClient {
        let kinds = client.app.callKinds
        return DrillClient(
            signIn: { [self] person in
                account = person.account
                try await action { await app.signIn() }()
            },
            // Only this kind is a plain read: in one app `account` deletes the account.
            call: action { await app.call(.model) },
            write: kinds.contains(.upload) ? action { await app.call(.upload) } : nil,
            refresh: step(of: app, where: \.renews),
            signOut: app.signOut.map(action) ?? step(of: app, where: \.leaves),
            isSignedIn: { !app.needsSignIn })
    }

    /// The first step of a kind, if the app has one.
    private func step(
        of app: any InstalledApp, where isFit: (StepDescription) -> Bool
    ) -> DrillClient.Action? {
        for (place, journey) in client.app.journeys.enumerated() {
            guard let step = journey.steps.firstIndex(where: isFit) else {
                continue
            }
            return action { await app.perform(step: step, ofJourney: place) }
        }
        return nil
    }

    /// An action of the user; where the screen gets stuck, the action never returns.
    private func action(
        _ body: @escaping @Sendable () async -> StepOutcome
    ) -> DrillClient.Action {
        { [network] in
            let outcome = await body()
            if case .stuck = outcome { await network.park() }
            guard outcome.isSuccess else { throw Unsuccessful(outcome: outcome) }
        }
    }
}

/// The outcome that the user saw instead of a success.
private struct Unsuccessful: Error, CustomStringConvertible {
    let outcome: StepOutcome
    var description: String { outcome.label }
}

extension BackendPlan {
    fileprivate init(drilled setting: ServerConfiguration) {
        self = .withoutWaiting(roundTrip: ServerConfiguration.roundTrip)
        tokens = setting.tokens
        faults = setting.faults
        network.connections = setting.connections
    }
}
