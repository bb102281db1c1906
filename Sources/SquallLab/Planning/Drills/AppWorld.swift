import SquallApps
import SquallBackend
import SquallClient
import SquallHTTP
import SquallKernel
import SquallRaces
import SquallServices

/// The world of a drill of an app: one phone, the services, constant latencies.
final class AppWorld: ClientWorld, @unchecked Sendable {
    // Safe because everything happens on the simulation's thread.

    let simulation: Simulation
    let tap: WireTap
    /// An app has storage of its own, which a drill cannot make fail.
    let storage: (any DrilledStorage)? = nil
    private let client: AppUnderTest
    private let backend: Backend
    private let installer: Installer
    private let network: DrilledNetwork
    private let clock: PhoneClock
    private let system: (any ClientSystem)?
    /// Every start of the app; the last one is alive.
    private var lives: [(app: any InstalledApp, environment: SessionEnvironment)] = []
    /// The account of the user who holds the phone, which signs in.
    private var account = 0

    init(
        _ client: AppUnderTest, _ setting: ServerConfiguration, _ schedule: Schedule,
        _ plan: ExplorationPlan
    ) {
        self.client = client
        simulation = Simulation(schedule)
        system = ClientSystems.system(
            for: [client.app], in: simulation, preemptions: plan.preemptions)
        tap = WireTap(drilling: simulation, schedule)
        var services = client.services
        services.failureHeaders = setting.failureHeaders
        installer = Installer(
            simulation, BackendPlan(drilled: setting), services, users: ServerConfiguration.users,
            randomness: RandomStream(seed: plan.seed), observer: tap)
        backend = installer.backend
        network = DrilledNetwork(backend.transport)
        clock = PhoneClock(simulation, aheadBy: 0)
    }

    /// Resumes everything that waits for ever, so that no task stays behind.
    func end() {
        simulation.releaseDevices()
        // From inside: a continuation resumed outside would run on another executor, beside this.
        simulation.spawn {
            [network, environments = lives.map(\.environment), apps = lives.map(\.app)] in
            for app in apps { app.stepEnded() }
            network.close()
            for environment in environments { environment.releaseParkedRequests() }
        }
        _ = try? simulation.run(until: simulation.now.advanced(byNanoseconds: 600_000_000_000))
        system?.end()
    }

    func kill(life: Int) { network.disconnect(UInt64(life)) }

    func person(_ name: String, account: Int) -> DrillPerson {
        let credentials = backend.credentials(of: UInt64(account), at: client.app.origin)
        return DrillPerson(name, account: account, credentials: credentials) { [backend] in
            IssuedTokens(
                access: backend.issue(.access, to: account),
                refresh: backend.issue(.refresh, to: account))
        }
    }

    func setClock(aheadBy span: Duration) {
        clock.set(aheadBy: Int64(span / .nanoseconds(1)))
    }

    func expireAccessTokens() { backend.expireAccessTokens() }
    func revokeRefreshTokens() { backend.revokeRefreshTokens() }
}

/// The app.
extension AppWorld {
    func startApp(life: Int) -> DrillClient {
        let environment = installer.environment(
            of: client.population.settings, over: RaceTransport(network, life: life), time: clock)
        let services = installer.services(for: client.app, environment) { [unowned self] _ in
            UInt64(account)
        }
        let app = client.app.install(
            Device(services: services, user: UInt64(life)), client.design)
        if let stored = lives.last?.app.storedTokens,
            !stored.access.isEmpty || !stored.refresh.isEmpty
        {
            let email = backend.credentials(of: UInt64(account), at: client.app.origin).email
            app.restore(
                StoredAccount(
                    userID: "", email: email, nick: "", accessToken: stored.access,
                    refreshToken: stored.refresh, accessExpiry: stored.accessExpiry))
        }
        lives.append((app, environment))
        return client(of: app)
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
            refresh: step("refresh", of: app),
            signOut: app.signOut.map(action) ?? step("logOut", of: app),
            isSignedIn: { !app.needsSignIn })
    }

    /// The first step of the name, if the app has one.
    private func step(_ name: String, of app: any InstalledApp) -> DrillClient.Action? {
        for (place, journey) in client.app.journeys.enumerated() {
            guard let step = journey.steps.firstIndex(where: { $0.name == name }) else {
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
    /// The backend of a drill: it answers at once, and only the drill's faults lose anything.
    fileprivate init(drilled setting: ServerConfiguration) {
        self = .standard
        let way = Distribution.constant(
            nanoseconds: Int64(ServerConfiguration.roundTrip / .nanoseconds(2)))
        (network.up, network.down) = (way, way)
        network.connectionsPerHost = 255
        server.workers = 1_000
        server.serviceTime = .constant(nanoseconds: 0)
        tokens = setting.tokens
        faults = setting.faults
    }
}
