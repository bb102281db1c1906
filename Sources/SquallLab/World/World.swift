public import SquallApps
public import SquallBackend
import SquallClient
import SquallHTTP
public import SquallKernel
import SquallServices

/// One assembled simulation: its time, its backend, its users, and who listens to them.
public final class World {
    /// Its time.
    public let simulation: Simulation
    let backend: Backend
    let fleet: Fleet
    let recorder: Recorder
    /// The surroundings of each population's sessions.
    let environments: [SessionEnvironment]

    /// Builds the world a profile describes, at the beginning of its time.
    public init(_ profile: Profile, strictness: Strictness) {
        let root = RandomStream(seed: profile.seed)
        let plans = PopulationPlan.all(of: profile)
        simulation = Simulation(strictness: strictness)
        recorder = Recorder(
            simulation: simulation, populations: plans,
            intervals: Intervals(
                timelineNanoseconds: profile.timeseriesIntervalNanoseconds,
                durationNanoseconds: profile.durationNanoseconds))
        let services = ServicesPlan(profile)
        backend = Backend(
            simulation: simulation, plan: BackendPlan(profile),
            services: ServiceKind.services(services, randomness: root), randomness: root,
            observer: recorder)
        environments = SessionEnvironment.all(
            of: profile, simulation: simulation, transport: backend.transport, root: root,
            recorder: recorder)
        let page = PaymentWebPage(
            services.payments, simulation: simulation, transport: backend.webViewTransport,
            randomness: root)
        let installer = Installer(
            backend: backend, page: ProviderPage(page: page, recorder: recorder))
        let populations = zip(plans, environments).map { [recorder] plan, environment in
            Population(plan, recorder, services: installer.services(for: plan.app, environment))
        }
        fleet = Fleet(
            simulation: simulation, populations: populations, randomness: root, observer: recorder,
            install: installer.install)
    }

    /// Attempts that clients have handed to their transport.
    public var attemptsSent: Int64 { recorder.totals.attemptsSent }

    /// Puts the app on every user's device at once, as if all had arrived.
    public func installEverybody() { fleet.installEverybody() }

    /// Lets steps that run come to their end and begins no others.
    public func drain() { fleet.drain() }

    /// Lets everything that still waits for a lost completion go, so that no task stays behind.
    public func tearDown() {
        // From inside: a continuation resumed out here would go on on another executor.
        simulation.spawn { [environments] in
            for environment in environments { environment.releaseParkedRequests() }
        }
        _ = try? simulation.run(until: simulation.now)
    }
}

/// Puts apps on users' devices.
private struct Installer {
    let backend: Backend
    let page: ProviderPage

    func services(
        for app: AppDescription, _ environment: SessionEnvironment
    ) -> DeviceServices {
        DeviceServices(environment: environment, paymentPage: page) { [backend] user in
            let (email, password) = backend.credentials(of: user, at: app.origin)
            return Credentials(email: email, password: password)
        }
    }

    func install(_ user: Int, _ population: Population) -> any MobileApp {
        let device = Device(services: population.services, user: UInt64(user))
        let app = population.app.install(device, population.design)
        if population.startsSignedIn {
            let account = backend.signIn(
                user: UInt64(user), at: population.app.origin, expired: population.startsExpired)
            app.restore(StoredAccount(account))
        }
        return app
    }
}

/// The payment provider's page as an app sees it, with somebody who notes how it closes.
private struct ProviderPage: PaymentPage {
    let page: PaymentWebPage
    let recorder: Recorder

    func pay(user: UInt64, merchantUID: String, amount: Int) async -> PaymentCallback {
        let answer = await page.pay(user: user, merchantUID: merchantUID, amount: amount)
        recorder.paymentPageClosed(on: user, answer)
        return callback(answer)
    }

    private func callback(_ answer: PaymentAnswer) -> PaymentCallback {
        switch answer {
        case .paid(let receipt): PaymentCallback(isSuccess: true, impUID: receipt)
        case .cancelled, .refused: PaymentCallback(isSuccess: false, impUID: nil)
        case .silent: PaymentCallback(isSuccess: nil, impUID: nil)
        case .paidWithoutReceipt: PaymentCallback(isSuccess: true, impUID: nil)
        }
    }
}

extension StoredAccount {
    /// What a phone keeps of a sign-in.
    public init(_ user: SignedInUser) {
        self.init(
            userID: user.userID, email: user.email, nick: user.nick,
            accessToken: user.accessToken, refreshToken: user.refreshToken)
    }
}
