public import SquallApps
public import SquallBackend
import SquallClient
import SquallHTTP
public import SquallKernel
public import SquallReport
public import SquallServices

/// One assembled simulation: its time, its backend, its users, and who listens to them.
public final class World {
    /// Its time.
    public let simulation: Simulation
    let backend: Backend
    let fleet: Fleet
    let recorder: Recorder
    /// The surroundings of each population's sessions.
    let environments: [SessionEnvironment]

    /// Builds the world of a plan, at the beginning of its time.
    ///
    /// - Parameters:
    ///   - plan: what it is made of.
    ///   - policy: decides among things that can run at the same instant.
    ///   - recordsChoices: whether to keep the policy's choices for a replay.
    ///   - strictness: what to make of Swift jobs on threads that run no simulation.
    public init(
        _ plan: WorldPlan, policy: any SchedulingPolicy = FirstInFirstOut(),
        recordsChoices: Bool = false, strictness: Strictness = .tolerant
    ) {
        let root = RandomStream(seed: plan.seed)
        let numbers = UserNumbers(plan.populations.map(\.users))
        simulation = Simulation(
            policy: policy, recordsChoices: recordsChoices, strictness: strictness)
        let run = MeasuredRun(
            simulation: simulation,
            populations: plan.populations.enumerated().map { $1.measured(numbers.users(of: $0)) },
            intervals: Intervals(
                timelineNanoseconds: plan.timeseriesIntervalNanoseconds,
                durationNanoseconds: plan.durationNanoseconds),
            trace: plan.trace)
        recorder = Recorder(run)
        var (farSide, services) = (plan.backend, plan.services)
        farSide.userCount = numbers.count
        services.userCount = numbers.count
        backend = Backend(
            simulation: simulation, plan: farSide,
            services: ServiceKind.services(services, randomness: root), randomness: root,
            observer: recorder)
        let page = PaymentWebPage(
            services.payments, simulation: simulation, transport: backend.webViewTransport,
            randomness: root)
        let installer = Installer(
            simulation: simulation, backend: backend, recorder: recorder, root: root,
            page: ProviderPage(page: page, recorder: recorder))
        environments = installer.environments(of: plan)
        let arrivals = root.stream("session.arrival")
        let populations = zip(plan.populations, environments).enumerated().map { index, pair in
            pair.0.population(
                of: numbers.users(of: index),
                services: installer.services(for: pair.0.app, pair.1),
                arrivals: arrivals.stream(number: UInt64(index)))
        }
        fleet = Fleet(
            simulation: simulation, populations: populations, randomness: root, observer: recorder,
            install: installer.install)
    }

    /// Attempts that clients have handed to their transport.
    public var attemptsSent: Int64 { recorder.totals.attemptsSent }

    /// Everything that has been counted so far.
    public var metrics: Metrics { recorder.metrics }

    /// Lets so much virtual time pass.
    ///
    /// - Throws: when time stands still, or when a strict world is escaped from.
    @discardableResult
    public func run(for span: Duration) throws -> Simulation.Pause {
        let nanoseconds = Int64(span / .nanoseconds(1))
        return try simulation.run(until: simulation.now.advanced(byNanoseconds: nanoseconds))
    }

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
    let simulation: Simulation
    let backend: Backend
    let recorder: Recorder
    let root: RandomStream
    let page: ProviderPage

    /// One for each population, which differ in the library's version and its retries only.
    func environments(of plan: WorldPlan) -> [SessionEnvironment] {
        let decoder: any DataDecoder =
            plan.sharesDecoding
            ? RememberingDecoder(FoundationJSONDecoder()) : FoundationJSONDecoder()
        return plan.populations.map { population in
            var configuration = SessionConfiguration()
            configuration.commonInterceptor = population.commonInterceptor
            return SessionEnvironment(
                transport: backend.transport, time: SimulatedTime(simulation: simulation),
                random: SimulatedRandomness(root: root), decoder: decoder,
                eventMonitors: [ClientTap(recorder: recorder)], behaviour: population.behaviour,
                configuration: configuration)
        }
    }

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
        return PaymentCallback(answer)
    }
}

extension PaymentCallback {
    /// What an app hears of a page that closed.
    public init(_ answer: PaymentAnswer) {
        switch answer {
        case .paid(let receipt): self.init(isSuccess: true, impUID: receipt)
        case .cancelled, .refused: self.init(isSuccess: false, impUID: nil)
        case .silent: self.init(isSuccess: nil, impUID: nil)
        case .paidWithoutReceipt: self.init(isSuccess: true, impUID: nil)
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
