import SquallApps
import SquallBackend
import SquallClient
import SquallHTTP
import SquallKernel
import SquallServices

/// Makes the backend of a world of apps, and what their phones are given.
struct Installer {
    /// The backend.
    let backend: Backend
    private let random: SimulatedRandomness
    private let accounts: [UserAccount]
    private let page: ProviderPage

    /// A backend with services, in a simulation; `pageClosed` hears of every payment page.
    ///
    /// A driver takes the place of a service.
    init(
        _ simulation: Simulation, _ plan: BackendPlan, _ services: ServicesPlan, users: Int,
        randomness root: RandomStream, observer: any BackendObserver,
        driver: (any LoadDriver)? = nil,
        pageClosed: @escaping @Sendable (_ user: UInt64, PaymentAnswer) -> Void = { _, _ in }
    ) {
        var (plan, services) = (plan, services)
        (plan.userCount, services.userCount) = (users, users)
        backend = Backend(
            simulation: simulation, plan: plan,
            services: ServiceKind.services(services, randomness: root), randomness: root,
            observer: observer, remote: driver)
        accounts = driver?.accounts ?? []
        let page = PaymentWebPage(
            services.payments, simulation: simulation, transport: backend.webViewTransport,
            randomness: root, identity: plan.identity)
        self.page = ProviderPage(page: page, closed: pageClosed)
        random = SimulatedRandomness(root: root, identity: plan.identity)
    }

    /// The surroundings of sessions of users with some habits; straight to the backend unless over
    /// another transport.
    func environment(
        of settings: Profile.Population, over transport: (any Transport)? = nil,
        time: any TimeSource, monitors: [any EventMonitor] = [],
        decoder: any DataDecoder = FoundationJSONDecoder()
    ) -> SessionEnvironment {
        var configuration = SessionConfiguration()
        configuration.commonInterceptor = settings.commonInterceptor
        return SessionEnvironment(
            transport: transport ?? backend.transport, time: time, random: random,
            decoder: decoder, eventMonitors: monitors, behaviour: settings.behaviour,
            configuration: configuration)
    }

    /// What an app's phones share; `account` is whose sign-in a phone's user types.
    func services(
        for app: AppDescription, _ environment: SessionEnvironment,
        account: @escaping @Sendable (_ user: UInt64) -> UInt64 = { $0 }
    ) -> DeviceServices {
        DeviceServices(
            environment: environment, paymentPage: page,
            isRefresh: { [backend] in backend.endpoint(of: $0).role == .refresh }
        ) { [backend, accounts, origin = app.origin] user in
            let number = account(user)
            if number < accounts.count {
                let account = accounts[Int(number)]
                return Credentials(email: account.email, password: account.password)
            }
            let (email, password) = backend.credentials(of: number, at: origin)
            return Credentials(email: email, password: password)
        }
    }

    /// Puts the app on a user's phone.
    func install(_ user: Int, _ population: Population) -> any InstalledApp {
        let device = Device(services: population.services, user: UInt64(user))
        let app = population.app.install(device, population.settings.design)
        if population.settings.startsSignedIn {
            let account = backend.signIn(
                user: UInt64(user), at: population.app.origin,
                accessLifetime: tokenLife(of: user, population))
            app.restore(StoredAccount(account))
        }
        return app
    }

    /// How long the access token that a user brings along is still good; `nil` for a whole life.
    private func tokenLife(of user: Int, _ population: Population) -> Int64? {
        switch population.settings.initialTokens {
        case .fresh: nil
        case .expired: 0
        case .aged: population.ages?.lifeLeft(of: random.identity.key(of: UInt64(user)))
        }
    }
}
