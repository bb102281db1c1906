import SquallApps
import SquallBackend
import SquallClient
import SquallFormat
import SquallKernel
import SquallLab
import SquallServices
import Synchronization

/// A world of one phone and one server, in which nothing is random and every latency is constant.
final class PhoneWorld: @unchecked Sendable {
    // Safe because everything happens on the simulation's thread.

    let subject: DesignSubject
    let simulation = Simulation()
    /// The phone's network.
    let transport: ScriptedTransport
    /// The payment provider's page, as a payment's trial has it.
    let page = StagedPage()
    private let installer: Installer
    private let phone: Phone
    private let observer = SilentObserver()
    private let isStopped: @Sendable () -> Bool
    /// The steps that were taken.
    private var steps: UInt32 = 0

    /// Makes a phone with an app in a design, by default with the services of its place.
    init(
        _ subject: DesignSubject, services: ServicesPlan? = nil, seed: UInt64 = 1,
        backendPlan: BackendPlan, monitors: [any EventMonitor] = []
    ) {
        self.subject = subject
        let services = services ?? subject.place.services
        isStopped = services.isStopped
        installer = Installer(
            of: [subject.app], in: simulation, backendPlan, services,
            users: backendPlan.userCount, randomness: RandomStream(seed: seed), observer: observer
        ) { [page] in
            page.web = $0
            return page
        }
        transport = ScriptedTransport(
            installer.backend, installer.backend.service(at: subject.app.origin), simulation)
        phone = Phone(installer, subject.population)
        phone.start(as: 0, over: transport, monitors: monitors)
    }

    var backend: Backend { installer.backend }
    var app: any InstalledApp { phone.app }

    /// Signs the user in before the run.
    func signIn(expired: Bool = false, knowsExpiry: Bool = true) {
        phone.signIn(0, expired: expired, knowsExpiry: knowsExpiry)
    }

    /// Performs a user's actions, from the beginning to its end, in at most an hour.
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
    /// - Throws: `StopRequested` if it was asked to stop.
    func clear() throws {
        transport.isClosed = true
        installer.tearDown(phone.lives.map(\.environment), isStopped: isStopped())
        guard !isStopped() else { throw StopRequested() }
    }

    /// Takes the user's next step, with limited patience; returns the outcome, or `nil` if it takes
    /// longer.
    func step(
        patience nanoseconds: Int64, _ action: @escaping @Sendable () async -> StepOutcome
    ) async -> StepOutcome? {
        steps += 1
        app.beginStep(steps)
        let (ends, end) = AsyncStream.makeStream(of: StepOutcome?.self)
        Task { end.yield(await action()) }
        Task { [simulation] in
            try? await simulation.sleep(nanoseconds: nanoseconds)
            end.yield(nil)
        }
        return await ends.first { _ in true } ?? nil
    }

    /// Takes a step of a journey, by their places, or signs in; `nil` if the screen still waits
    /// after two minutes.
    func show(_ step: (journey: Int, place: Int)?) async -> StepOutcome? {
        let outcome = await self.step(patience: 120 * Span.second) { [app] in
            guard let step else { return await app.signIn() }
            return await app.perform(step: step.place, ofJourney: step.journey)
        }
        // What no screen waits for, such as pictures, ends meanwhile.
        try? await simulation.sleep(nanoseconds: 20 * Span.second)
        return outcome
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
