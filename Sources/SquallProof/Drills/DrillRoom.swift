import SquallApps
import SquallBackend
import SquallClient
import SquallHTTP
import SquallKernel
import SquallLab
import SquallServices
import Synchronization

extension Drill {
    /// Puts an app through the drill.
    ///
    /// - Throws: what stops a simulation.
    public func result(of subject: DesignSubject) throws -> DrillResult {
        try DrillRoom(self, subject).run()
    }
}

/// The world of a drill: one phone, one server, constant latencies.
private final class DrillRoom: @unchecked Sendable {
    // Safe because everything happens on the simulation's thread.

    private let drill: Drill
    private let simulation = Simulation()
    private let observer = SilentObserver()
    private let transport: DrilledTransport
    private let environment: SessionEnvironment
    private let triggers = TriggerMonitor()
    private let app: any InstalledApp
    private let outcomes = Mutex<[StepOutcome]>([])
    private let isStopped: @Sendable () -> Bool

    init(_ drill: Drill, _ subject: DesignSubject) {
        self.drill = drill
        isStopped = subject.place.services.isStopped
        let app = subject.app
        let time = SimulatedTime(simulation: simulation)
        let root = RandomStream(seed: 1)
        var plan = subject.place.services
        plan.userCount = 1
        let services = ServiceKind.services(plan, randomness: root)
        let backend = Backend(
            simulation: simulation, plan: drill.farSide(subject.place), services: services,
            randomness: root, observer: observer)
        let own = services.first { $0.origins.contains(app.origin) } ?? services[0]
        var refusal: Answer?
        if case .refused(let trouble) = drill.refresh { refusal = own.answer(to: trouble) }
        transport = DrilledTransport(
            backend.transport, time: time, drill: drill, refusal: refusal,
            isRefresh: { backend.endpoint(of: $0).role == .refresh })
        environment = SessionEnvironment(
            transport: transport, time: time, random: SimulatedRandomness(root: root),
            eventMonitors: [triggers])
        let devices = DeviceServices(environment: environment, paymentPage: ClosedPage()) { _ in
            let (email, password) = backend.credentials(of: 0, at: app.origin)
            return Credentials(email: email, password: password)
        }
        self.app = app.install(Device(services: devices, user: 0), subject.design)
        if drill.hasTokens {
            let account = StoredAccount(backend.signIn(user: 0, at: app.origin, expired: true))
            self.app.restore(drill.knowsExpiry ? account : account.withoutExpiry)
        }
    }

    func run() throws -> DrillResult {
        simulation.checkpoint = { [simulation, isStopped] in
            if isStopped() { simulation.stop() }
        }
        defer { simulation.checkpoint = nil }
        for _ in 0..<drill.calls {
            simulation.spawn { [self] in
                let outcome = await app.call(drill.kind)
                outcomes.withLock { $0.append(outcome) }
            }
        }
        _ = try simulation.run(until: Drill.end)
        let result = read()
        try clear()
        guard !isStopped() else { throw StopRequested() }
        return result
    }

    private func read() -> DrillResult {
        let sends = transport.sends
        let outcomes = outcomes.withLock { $0 }
        let open = drill.calls - outcomes.count
        let silentSince = Drill.end.nanosecondsSince1970 - Drill.silenceNanoseconds
        let isEndless = open > 0 && sends.contains { $0.sentAt > silentSince }
        return DrillResult(
            refreshes: sends.count(where: \.isRefresh),
            sends: sends.count { !$0.isRefresh }, outcomes: outcomes,
            hung: isEndless ? 0 : open, isEndless: isEndless, isSignedOut: app.needsSignIn,
            resendDelayNanoseconds: resendDelay(in: sends),
            triggers: (sends.first?.isRefresh == true ? [.clock] : []) + triggers.seen)
    }

    private func resendDelay(in sends: [DrilledTransport.Send]) -> Int64? {
        guard let refreshed = sends.first(where: \.isRefresh)?.answeredAt else { return nil }
        let next = sends.first { !$0.isRefresh && $0.sentAt >= refreshed }
        return next.map { $0.sentAt - refreshed }
    }

    /// Lets everything that goes round or waits come to its end, so that no task stays behind.
    private func clear() throws {
        transport.close()
        simulation.spawn { [environment] in environment.releaseParkedRequests() }
        _ = try simulation.run(until: Drill.end.advanced(byNanoseconds: 600_000_000_000))
    }
}

extension Drill {
    fileprivate func farSide(_ place: DrillPlace) -> BackendPlan {
        var plan = BackendPlan.standard
        plan.userCount = 1
        plan.tokens.accessLifetimeNanoseconds = accessLifetimeNanoseconds
        if let refresh = place.refresh { plan.tokens.refresh = refresh }
        plan.network.up = .constant(nanoseconds: 20_000_000)
        plan.network.down = .constant(nanoseconds: 20_000_000)
        plan.network.connectionsPerHost = calls
        plan.server.serviceTime = .constant(nanoseconds: 5_000_000)
        return plan
    }
}

extension StoredAccount {
    /// The same on a phone that was not told when its token expires.
    fileprivate var withoutExpiry: StoredAccount {
        StoredAccount(
            userID: userID, email: email, nick: nick, accessToken: accessToken,
            refreshToken: refreshToken)
    }
}

/// Notes what made the client send a call again, each kind once.
private final class TriggerMonitor: EventMonitor {
    private let stored = Mutex<[DrillResult.Trigger]>([])

    var seen: [DrillResult.Trigger] { stored.withLock { $0 } }

    func request(_ request: Request, isRetrying retryCount: Int, after error: any Error) {
        switch error as? AFError {
        case .responseValidationFailed: note(.validator)
        case .responseSerializationFailed: note(.decoding)
        default: break
        }
    }

    private func note(_ trigger: DrillResult.Trigger) {
        stored.withLock { seen in
            if !seen.contains(trigger) { seen.append(trigger) }
        }
    }
}

/// Nobody pays in a drill.
private struct ClosedPage: PaymentPage {
    func pay(user: UInt64, merchantUID: String, amount: Int) async -> PaymentCallback {
        PaymentCallback(isSuccess: nil, impUID: nil)
    }
}
