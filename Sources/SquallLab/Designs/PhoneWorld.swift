import SquallApps
import SquallBackend
import SquallClient
import SquallFormat
import SquallHTTP
import SquallKernel
import SquallServices
import Synchronization

/// A world of one phone and one server, in which nothing is random and every latency is constant.
final class PhoneWorld: @unchecked Sendable {
    // Safe because everything happens on the simulation's thread.

    let subject: DesignSubject
    let simulation = Simulation()
    let backend: Backend
    let app: any InstalledApp
    /// The phone's network.
    let transport: NotedTransport
    private let environment: SessionEnvironment
    /// The system's queues and sessions, for an app that uses them.
    private let system: (any ClientSystem)?
    private let observer = SilentObserver()
    private let isStopped: @Sendable () -> Bool

    /// Makes a phone with an app in a design, by default with the services of its place.
    init(
        _ subject: DesignSubject, services: ServicesPlan? = nil, seed: UInt64 = 1,
        backendPlan: BackendPlan, monitors: [any EventMonitor] = [],
        page: (Simulation, Backend, RandomStream) -> any PaymentPage = { _, _, _ in ClosedPage() }
    ) {
        self.subject = subject
        system = ClientSystems.system(for: [subject.app], in: simulation)
        let root = RandomStream(seed: seed)
        var services = services ?? subject.place.services
        isStopped = services.isStopped
        services.userCount = backendPlan.userCount
        let mounted = ServiceKind.services(services, randomness: root)
        let origin = subject.app.origin
        let backend = Backend(
            simulation: simulation, plan: backendPlan, services: mounted, randomness: root,
            observer: observer)
        self.backend = backend
        transport = NotedTransport(
            backend, mounted.first { $0.origins.contains(origin) } ?? mounted[0], simulation)
        environment = SessionEnvironment(
            transport: transport, time: simulation,
            random: SimulatedRandomness(root: root), eventMonitors: monitors)
        let devices = DeviceServices(
            environment: environment, paymentPage: page(simulation, backend, root),
            isRefresh: { backend.endpoint(of: $0).role == .refresh }
        ) { _ in
            let (email, password) = backend.credentials(of: 0, at: origin)
            return Credentials(email: email, password: password)
        }
        app = subject.app.install(Device(services: devices, user: 0), subject.design)
    }

    /// The user's account, signed in.
    func account(isExpired: Bool = false) -> StoredAccount {
        StoredAccount(backend.signIn(user: 0, at: subject.app.origin, expired: isExpired))
    }

    /// Does what a user does, from the beginning to its end, in at most an hour.
    ///
    /// - Throws: what stops a simulation; `StopRequested` if it was asked to stop.
    func play<Result: Sendable>(
        _ body: @escaping @Sendable () async -> Result
    ) throws -> Result {
        let played = Mutex<Result?>(nil)
        simulation.spawn { [simulation] in
            let result = await body()
            played.withLock { $0 = result }
            simulation.stop()
        }
        try run(until: Instant(nanoseconds: 3_600 * Span.second))
        try clear()
        guard let result = played.withLock({ $0 }) else {
            preconditionFailure("a journey of \(subject.app.name) takes more than an hour")
        }
        return result
    }

    /// Runs until a moment, unless it is asked to stop.
    ///
    /// - Throws: what stops a simulation.
    func run(until end: Instant) throws {
        simulation.checkpoint = { [simulation, isStopped] in
            if isStopped() { simulation.stop() }
        }
        defer { simulation.checkpoint = nil }
        _ = try simulation.run(until: end)
    }

    /// Lets everything that waits or is sent again and again end, so that no task stays behind.
    ///
    /// - Throws: what stops a simulation; `StopRequested` if it was asked to stop.
    func clear() throws {
        transport.isClosed = true
        defer { system?.end() }
        simulation.spawn { [environment] in environment.releaseParkedRequests() }
        _ = try simulation.run(until: simulation.now.advanced(byNanoseconds: 600 * Span.second))
        guard !isStopped() else { throw StopRequested() }
    }

    /// What a user with limited patience sees of an action; `nil` if it takes longer.
    func patiently(
        nanoseconds: Int64, _ action: @escaping @Sendable () async -> StepOutcome
    ) async -> StepOutcome? {
        let (ends, end) = AsyncStream.makeStream(of: StepOutcome?.self)
        Task { end.yield(await action()) }
        Task { [simulation] in
            try? await simulation.sleep(nanoseconds: nanoseconds)
            end.yield(nil)
        }
        return await ends.first { _ in true } ?? nil
    }
}

extension BackendPlan {
    /// The backend of one phone: 20 ms each way, 5 ms of work, enough connections.
    ///
    /// It may have more accounts than the phone's user, where posts need other authors.
    static func ofOnePhone(
        connections: Int = 6, accessLifetimeNanoseconds: Int64 = 3_600 * Span.second,
        accounts: Int = 1
    ) -> BackendPlan {
        var plan = BackendPlan.standard
        plan.userCount = accounts
        plan.tokens.accessLifetimeNanoseconds = accessLifetimeNanoseconds
        plan.network.up = .constant(nanoseconds: 20_000_000)
        plan.network.down = .constant(nanoseconds: 20_000_000)
        plan.network.connectionsPerHost = connections
        plan.server.serviceTime = .constant(nanoseconds: 5_000_000)
        return plan
    }
}

/// A page on which no payment is possible.
struct ClosedPage: PaymentPage {
    func pay(user: UInt64, merchantUID: String, amount: Int) async -> PaymentCallback {
        PaymentCallback(isSuccess: nil, impUID: nil)
    }
}
