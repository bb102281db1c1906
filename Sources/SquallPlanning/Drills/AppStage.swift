import SquallApps
import SquallBackend
import SquallClient
import SquallHTTP
import SquallKernel
import SquallLab
import SquallRaces
import SquallServices

/// The world of a drill of an app: one phone, the services, constant latencies.
final class AppStage: DrillStage, @unchecked Sendable {
    // Safe because everything happens on the simulation's thread.

    let simulation: Simulation
    let tap: WireTap
    /// An app has storage of its own, which a drill cannot make fail.
    let storage: any DrilledStorage = OwnStorage()
    private let ground: AppGround
    private let root: RandomStream
    private let ledger: DrillLedger
    private let backend: Backend
    private let network: DrilledNetwork
    private let clock: PhoneClock
    private let page: PaymentWebPage
    private let system: (any ClientSystem)?
    /// Every start of the app; the last one is alive.
    private var lives: [(app: any InstalledApp, environment: SessionEnvironment)] = []
    /// The account of the person who holds the phone, which signs in.
    private var account = 0

    init(
        _ ground: AppGround, _ setting: DrillSetting, _ schedule: Schedule,
        _ plan: ExplorationPlan
    ) {
        self.ground = ground
        simulation = Simulation(schedule)
        system = ClientSystems.system(
            for: [ground.app], in: simulation, preemptions: plan.preemptions)
        let recorder = HistoryRecorder(simulation, schedule)
        tap = WireTap(recorder: recorder, users: [0])
        ledger = DrillLedger(tap)
        root = RandomStream(seed: plan.seed)
        var services = ground.services
        services.userCount = DrillSetting.users
        services.declared.failureHeaders = setting.failureHeaders
        backend = Backend(
            simulation: simulation, plan: BackendPlan(drilled: setting),
            services: ServiceKind.services(services, randomness: root), randomness: root,
            observer: ledger)
        network = DrilledNetwork(backend.transport)
        clock = PhoneClock(simulation, aheadBy: 0)
        page = PaymentWebPage(
            services.payments, simulation: simulation, transport: backend.webViewTransport,
            randomness: root)
    }

    var redundantRefreshes: [UInt32] { ledger.redundantRefreshes }

    func run(
        for limit: Duration, _ body: @escaping @Sendable () async throws -> Void
    ) throws -> DrillRun {
        let end = Ending()
        simulation.spawn(of: 0) { [simulation] in
            do { try await body() } catch { end.failure = error }
            end.isReached = true
            simulation.stop()
        }
        var run = DrillRun()
        do {
            let span = Int64(limit / .nanoseconds(1))
            _ = try simulation.run(until: Instant(nanoseconds: span))
        } catch is SimulationError {
            run.isSpinning = true
        }
        if let failure = end.failure { throw failure }
        run.isWhole = end.isReached
        return run
    }

    /// Resumes everything that waits for ever, so that no task stays behind.
    func end() {
        for life in lives { life.app.stepEnded() }
        let environments = lives.map(\.environment)
        simulation.spawn { [network] in
            network.close()
            for environment in environments { environment.releaseParkedRequests() }
        }
        _ = try? simulation.run(until: simulation.now.advanced(byNanoseconds: 600_000_000_000))
        system?.end()
    }

    func kill(life: Int) { network.disconnect(UInt64(life)) }

    func person(_ name: String, account: Int) -> DrillPerson {
        let (email, password) = backend.credentials(of: UInt64(account), at: ground.app.origin)
        return DrillPerson(name, account: account, credentials: (email, password)) { [backend] in
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
extension AppStage {
    func startApp(life: Int) -> DrillClient {
        var configuration = SessionConfiguration()
        configuration.commonInterceptor = ground.population.habits.commonInterceptor
        let environment = SessionEnvironment(
            transport: network, time: clock, random: SimulatedRandomness(root: root),
            eventMonitors: [], behaviour: ground.population.habits.behaviour,
            configuration: configuration)
        let origin = ground.app.origin
        let services = DeviceServices(
            environment: environment, paymentPage: RacePage(page: page),
            isRefresh: { [backend] in backend.endpoint(of: $0).role == .refresh }
        ) { [unowned self] _ in
            let (email, password) = backend.credentials(of: UInt64(account), at: origin)
            return Credentials(email: email, password: password)
        }
        let app = ground.app.install(
            Device(services: services, user: UInt64(life)), ground.design)
        if let stored = lives.last?.app.storedTokens,
            !stored.access.isEmpty || !stored.refresh.isEmpty
        {
            let email = backend.credentials(of: UInt64(account), at: origin).email
            app.restore(
                StoredAccount(
                    userID: "", email: email, nick: "", accessToken: stored.access,
                    refreshToken: stored.refresh, accessExpiry: stored.accessExpiry))
        }
        lives.append((app, environment))
        return client(of: app)
    }

    private func client(of app: any InstalledApp) -> DrillClient {
        let kinds = ground.app.callKinds
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
        for (place, journey) in ground.app.journeys.enumerated() {
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

/// Whether and how a body ended.
private final class Ending: @unchecked Sendable {
    // Safe because it is touched on the simulation's thread only.
    var isReached = false
    var failure: (any Error)?
}

/// The storage of an app that keeps its tokens itself.
private struct OwnStorage: DrilledStorage {
    let wasUsed = false
    func fail(times: Int) {}
    func slowDown(to pause: Duration) {}
}

extension BackendPlan {
    /// The backend of a drill: it answers at once, and only the drill's faults lose anything.
    fileprivate init(drilled setting: DrillSetting) {
        self = .standard
        let way = Distribution.constant(
            nanoseconds: Int64(DrillSetting.roundTrip / .nanoseconds(2)))
        (network.up, network.down) = (way, way)
        network.connectionsPerHost = 255
        server.workers = 1_000
        server.serviceTime = .constant(nanoseconds: 0)
        tokens = setting.tokens
        faults = setting.faults
        userCount = DrillSetting.users
    }
}
