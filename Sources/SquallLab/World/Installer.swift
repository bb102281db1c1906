public import SquallApps
public import SquallBackend
public import SquallClient
public import SquallHTTP
public import SquallKernel
public import SquallServices
import Synchronization

/// Makes the backend of a world of apps and the means of their phones, and ends that world.
public struct Installer {
    /// The backend.
    public let backend: Backend
    /// The simulation that it is in.
    public let simulation: Simulation
    /// Stands in for the operating system, where an app uses it directly.
    let system: (any ClientSystem)?
    private let random: SimulatedRandomness
    private let accounts: [UserAccount]
    private let page: any PaymentPage

    /// A backend with services for some apps, in a simulation.
    ///
    /// A driver takes the place of a service. A schedule may interrupt an app's code that does not
    /// wait `preemptions` times. `page` makes the payment page of the apps from the provider's.
    public init(
        of apps: [AppDescription], in simulation: Simulation, _ plan: BackendPlan,
        _ services: ServicesPlan, users: Int, randomness root: RandomStream,
        observer: any BackendObserver, driver: (any LoadDriver)? = nil, preemptions: Int = 0,
        page: (PaymentWebPage) -> any PaymentPage = { ProviderPage(page: $0) }
    ) {
        self.simulation = simulation
        system = ClientSystems.system(for: apps, in: simulation, preemptions: preemptions)
        var (plan, services) = (plan, services)
        (plan.userCount, services.userCount) = (users, users)
        backend = Backend(
            simulation: simulation, plan: plan,
            services: ServiceKind.services(services, randomness: root), randomness: root,
            observer: observer, remote: driver)
        accounts = driver?.accounts ?? []
        self.page = page(
            PaymentWebPage(
                services.payments, simulation: simulation, transport: backend.webViewTransport,
                randomness: root, identity: plan.identity))
        random = SimulatedRandomness(root: root, identity: plan.identity)
    }

    /// The surroundings of the sessions of a population; straight to the backend unless over
    /// another transport.
    public func environment(
        of settings: Profile.Population, over transport: (any Transport)? = nil,
        time: any TimeSource, monitors: [any EventMonitor] = [],
        decoder: any DataDecoder = FoundationJSONDecoder()
    ) -> SessionEnvironment {
        var configuration = SessionConfiguration()
        configuration.commonInterceptor = settings.commonInterceptor
        return SessionEnvironment(
            transport: transport ?? backend.transport, time: time, random: random,
            decoder: decoder, eventMonitors: monitors, configuration: configuration)
    }

    /// What an app's phones share; `account` is whose sign-in a phone's user types.
    public func services(
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

    /// The remaining life of the access token that a user brings along; `nil` for a whole life.
    private func tokenLife(of user: Int, _ population: Population) -> Int64? {
        switch population.settings.initialTokens {
        case .fresh: nil
        case .expired: 0
        case .aged:
            population.ages?.lifeLeft(
                of: random.identity.key(of: UInt64(user)), in: population)
        }
    }

    /// Lets everything that still waits or runs end, so that no task stays behind: each would keep
    /// the whole world.
    ///
    /// - Parameters:
    ///   - environments: the surroundings of all sessions, those of killed apps included.
    ///   - isStopped: true for a world that was stopped while it was built or ran.
    ///   - release: ends what the world itself holds back.
    ///   - isOpen: true while something has begun that has an end, beside the exchanges.
    public func tearDown(
        _ environments: [SessionEnvironment], isStopped: Bool = false,
        release: @escaping @Sendable () -> Void = {}, isOpen: () -> Bool = { false }
    ) {
        backend.close()
        simulation.releaseDevices()
        // From inside: a continuation resumed outside would run on another executor, beside this.
        simulation.spawn {
            release()
            for environment in environments { environment.releaseParkedRequests() }
        }
        simulation.comeToEnd(isStopped: isStopped) { backend.inFlight > 0 || isOpen() }
        system?.end()
    }
}

/// Queues, locks, sleeps and sessions of the system's, for apps that use them as they are.
public protocol ClientSystem: VirtualSystem, Sendable {
    /// Objects that served several users, the most first: a sentence's subject, with their number.
    var servedMany: [(what: String, users: Int, example: Int)] { get }
    /// Ends the world.
    func end()
}

/// Gives worlds such a system, if a module for apps of other packages has provided one.
public enum ClientSystems {
    /// Makes a system that may interrupt code without waits this often, where a policy decides.
    public typealias Maker = @Sendable (Simulation, _ preemptions: Int) -> any ClientSystem

    // It is filled once, before the tool begins.
    private static let maker = Mutex<Maker?>(nil)

    /// Sets how worlds get one.
    public static func make(by make: @escaping Maker) {
        maker.withLock { $0 = make }
    }

    /// The system of a world with some apps; `nil` when no app uses one.
    static func system(
        for apps: [AppDescription], in simulation: Simulation, preemptions: Int = 0
    ) -> (any ClientSystem)? {
        guard apps.contains(where: \.usesSystem) else { return nil }
        return maker.withLock { $0 }?(simulation, preemptions)
    }
}

/// The payment provider's page as an app sees it.
public struct ProviderPage: PaymentPage {
    let page: PaymentWebPage
    /// Called with the user's answer when the page closes.
    let closed: @Sendable (_ user: UInt64, PaymentAnswer) -> Void

    /// The app's view of a page.
    public init(
        page: PaymentWebPage,
        closed: @escaping @Sendable (_ user: UInt64, PaymentAnswer) -> Void = { _, _ in }
    ) {
        (self.page, self.closed) = (page, closed)
    }

    /// Opens the page; returns its message to the app when it closes.
    public func pay(user: UInt64, merchantUID: String, amount: Int) async -> PaymentCallback {
        let answer = await page.pay(user: user, merchantUID: merchantUID, amount: amount)
        closed(user, answer)
        return PaymentCallback(answer)
    }
}

extension PaymentCallback {
    /// The number of an attempt without a charge: the provider numbers those too.
    static let unpaid = "imp_unpaid"

    /// The message to an app of a page that closed.
    public init(_ answer: PaymentAnswer) {
        switch answer {
        case .paid(let receipt): self.init(isSuccess: true, impUID: receipt)
        case .cancelled, .refused: self.init(isSuccess: false, impUID: Self.unpaid)
        case .silent: self.init(isSuccess: nil, impUID: nil, hasCharged: true)
        case .unreached: self.init(isSuccess: nil, impUID: nil)
        case .paidLate(let receipt): self.init(isSuccess: true, impUID: receipt, comesLate: true)
        case .paidWithoutReceipt: self.init(isSuccess: true, impUID: nil)
        }
    }
}

/// The run's randomness, in the form for a client's session: one stream per purpose and user.
public struct SimulatedRandomness: RandomSource {
    let root: RandomStream
    let identity: StreamIdentity

    /// The randomness of a run, by its root.
    public init(root: RandomStream, identity: StreamIdentity = StreamIdentity()) {
        self.root = root
        self.identity = identity
    }

    /// The word of a purpose, user and ordinal.
    public func bits(_ purpose: StaticString, user: UInt64, ordinal: UInt64) -> UInt64 {
        root.stream(purpose).stream(number: identity.key(of: user)).bits(at: ordinal)
    }
}

/// A simulation is the clock of a client's session.
extension Simulation: TimeSource {
    /// The present moment.
    public var nanosecondsSinceEpoch: Int64 { nanosecondsSince1970 }
}
