internal import Apps
internal import Backend
internal import Client
internal import Kernel

/// One assembled simulation: its time, its backend, its users, and who listens to them.
final class World {
    let simulation: Simulation
    let backend: Backend
    let fleet: Fleet
    let recorder: Recorder
    let environment: SessionEnvironment

    /// Builds the world a profile describes, at the beginning of its time.
    init(_ profile: Profile, strictness: Strictness) {
        let root = RandomStream(seed: profile.seed)
        let plans = PopulationPlan.all(of: profile)
        simulation = Simulation(strictness: strictness)
        recorder = Recorder(
            simulation: simulation, apps: plans.map { ($0.users, $0.app.name) },
            intervalNanoseconds: profile.timeseriesIntervalNanoseconds)
        backend = Backend(
            simulation: simulation, configuration: BackendConfiguration(profile),
            randomness: root, observer: recorder)
        environment = SessionEnvironment(
            transport: backend.transport, time: SimulatedTime(simulation: simulation),
            random: SimulatedRandomness(root: root),
            decoder: profile.cachesDecoding
                ? RememberingDecoder(FoundationJSONDecoder()) : FoundationJSONDecoder(),
            eventMonitors: [ClientTap(recorder: recorder)])
        let installer = Installer(
            backend: backend, environment: environment, recorder: recorder)
        let recorder = recorder
        fleet = Fleet(
            simulation: simulation, populations: plans.map { Population($0, recorder) },
            randomness: root, observer: recorder, install: installer.install)
        recorder.fleet = fleet
    }

    /// Lets everything that still waits for a lost completion go, so that no task stays behind.
    func tearDown() {
        // From inside: a continuation resumed out here would go on on another executor.
        simulation.spawn { [environment] in environment.releaseParkedRequests() }
        _ = try? simulation.run(until: simulation.now)
    }
}

/// Puts apps on users' devices.
private struct Installer {
    let backend: Backend
    let services: DeviceServices
    let recorder: Recorder

    init(backend: Backend, environment: SessionEnvironment, recorder: Recorder) {
        self.backend = backend
        self.recorder = recorder
        services = DeviceServices(
            environment: environment,
            paymentPage: ProviderPage(provider: backend.paymentProvider)
        ) { user in
            let (email, password) = backend.credentials(of: user)
            return Credentials(email: email, password: password)
        }
    }

    func install(_ user: Int, _ population: Population) -> any MobileApp {
        let device = Device(services: services, user: UInt64(user))
        let app = population.app.install(device, population.design)
        if population.startsSignedIn {
            let account = backend.signIn(user: UInt64(user), expired: population.startsExpired)
            app.restore(StoredAccount(account))
            recorder.accessTokenIssued(to: UInt64(user), expiresAt: account.accessExpiry)
        }
        return app
    }
}

/// The payment provider's page as an app sees it.
private struct ProviderPage: PaymentPage {
    let provider: PaymentProvider

    func pay(user: UInt64, merchantUID: String, amount: Int) async -> PaymentCallback {
        switch await provider.pay(user: user, merchantUID: merchantUID, amount: amount) {
        case .paid(let receipt): PaymentCallback(isSuccess: true, impUID: receipt)
        case .cancelled, .refused: PaymentCallback(isSuccess: false, impUID: nil)
        case .silent: PaymentCallback(isSuccess: nil, impUID: nil)
        case .paidWithoutReceipt: PaymentCallback(isSuccess: true, impUID: nil)
        }
    }
}

extension StoredAccount {
    fileprivate init(_ user: SignedInUser) {
        self.init(
            userID: user.userID, email: user.email, nick: user.nick,
            accessToken: user.accessToken, refreshToken: user.refreshToken)
    }
}
