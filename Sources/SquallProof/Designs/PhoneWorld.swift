import SquallApps
import SquallBackend
import SquallClient
import SquallHTTP
import SquallKernel
import SquallLab
import SquallServices
import Synchronization

/// A world of one phone and one server, in which nothing is random and every latency is constant.
final class PhoneWorld: @unchecked Sendable {
    // Safe because everything happens on the simulation's thread.

    let simulation = Simulation()
    let backend: Backend
    let environment: SessionEnvironment
    let app: any InstalledApp
    private let observer = SilentObserver()
    private let isStopped: @Sendable () -> Bool

    /// What a world hands to the makers of the phone's network and its payment page.
    struct Parts {
        let simulation: Simulation
        let backend: Backend
        /// The service that keeps the app's accounts.
        let own: any Service
        let root: RandomStream
    }

    /// Makes a phone with an app in a design, and the services of its place.
    init(
        _ subject: DesignSubject, services: ServicesPlan, seed: UInt64 = 1,
        backendPlan: BackendPlan, monitors: [any EventMonitor] = [],
        transport: (Parts) -> any Transport,
        page: (Parts) -> any PaymentPage = { _ in ClosedPage() }
    ) {
        let app = subject.app
        let root = RandomStream(seed: seed)
        isStopped = services.isStopped
        var services = services
        services.userCount = backendPlan.userCount
        let mounted = ServiceKind.services(services, randomness: root)
        let backend = Backend(
            simulation: simulation, plan: backendPlan, services: mounted, randomness: root,
            observer: observer)
        self.backend = backend
        let parts = Parts(
            simulation: simulation, backend: backend,
            own: mounted.first { $0.origins.contains(app.origin) } ?? mounted[0], root: root)
        environment = SessionEnvironment(
            transport: transport(parts), time: simulation,
            random: SimulatedRandomness(root: root), eventMonitors: monitors)
        let devices = DeviceServices(environment: environment, paymentPage: page(parts)) { _ in
            let (email, password) = backend.credentials(of: 0, at: app.origin)
            return Credentials(email: email, password: password)
        }
        self.app = app.install(Device(services: devices, user: 0), subject.design)
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

    /// Lets everything that waits end, so that no task stays behind.
    ///
    /// - Throws: what stops a simulation; `StopRequested` if it was asked to stop.
    func clear() throws {
        simulation.spawn { [environment] in environment.releaseParkedRequests() }
        _ = try simulation.run(
            until: simulation.now.advanced(byNanoseconds: 600_000_000_000))
        guard !isStopped() else { throw StopRequested() }
    }

    /// What a user with limited patience sees of an action; `nil` if it takes longer.
    func patiently(
        nanoseconds: Int64, _ action: @escaping @Sendable () async -> StepOutcome
    ) async -> StepOutcome? {
        let end = Ending()
        Task { end.come(await action()) }
        Task { [simulation] in
            try? await simulation.sleep(nanoseconds: nanoseconds)
            end.come(nil)
        }
        return await end.outcome
    }
}

extension BackendPlan {
    /// The backend of one phone: 20 ms each way, 5 ms of work, enough connections.
    ///
    /// It may have more accounts than the phone's user, where posts need other authors.
    static func ofOnePhone(
        connections: Int, accessLifetimeNanoseconds: Int64, accounts: Int = 1
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

/// Waits for the first of two ends.
private final class Ending: Sendable {
    private struct State {
        var outcome: StepOutcome?
        var isOver = false
        var waiting: UnsafeContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// Reports an end; only the first one counts.
    func come(_ outcome: StepOutcome?) {
        let waiting = state.withLock { state -> UnsafeContinuation<Void, Never>? in
            guard !state.isOver else { return nil }
            (state.isOver, state.outcome) = (true, outcome)
            return state.waiting
        }
        waiting?.resume()
    }

    var outcome: StepOutcome? {
        get async {
            await withUnsafeContinuation { continuation in
                let isLate = state.withLock { state in
                    if !state.isOver { state.waiting = continuation }
                    return state.isOver
                }
                if isLate { continuation.resume() }
            }
            return state.withLock { $0.outcome }
        }
    }
}

/// A page on which no payment is possible.
struct ClosedPage: PaymentPage {
    func pay(user: UInt64, merchantUID: String, amount: Int) async -> PaymentCallback {
        PaymentCallback(isSuccess: nil, impUID: nil)
    }
}
