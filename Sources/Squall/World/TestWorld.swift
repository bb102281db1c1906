import CVirtualClock
public import SquallBackend
import SquallHTTP
public import SquallKernel
import SquallRaces
public import SquallServices

#if canImport(FoundationNetworking)
    import FoundationNetworking
#else
    import Foundation
#endif

/// A world from the view of its code: its services and its time.
///
/// It is given to the body of ``simulate(seed:schedule:window:for:_:)`` and is only used there.
public final class TestWorld: LoadingWorld, @unchecked Sendable {
    // Safe because everything happens on the one thread that runs the world.

    /// The number from which everything random in this world was derived.
    public let seed: UInt64
    let simulation: Simulation
    let dispatch: VirtualDispatch
    let randomness: RandomStream
    private(set) var services: [MountedService] = []
    /// What `URLSession.shared` is here.
    private(set) lazy var sharedSession: URLSession? = URLSession(configuration: .default)
    private var ownCookies: HTTPCookieStorage?
    /// What `HTTPCookieStorage.shared` is here.
    var cookies: HTTPCookieStorage? {
        if let ownCookies { return ownCookies }
        let made = URLSessionConfiguration.ephemeral.httpCookieStorage
        // Other code may have run meanwhile.
        if ownCookies == nil { ownCookies = made }
        return ownCookies
    }
    /// Records what the code of several worlds uses, with this world's number.
    var detector: (sees: SharedStateDetector, number: Int)?
    /// What a drill writes down.
    var recorder: HistoryRecorder?
    var eventCount: Int? { recorder?.history.events.count }
    /// Clients of starts of an app that were killed: their code ends with no notice, so nothing of
    /// them is deinitialized before what they had begun has ended.
    private var killed: [any Sendable] = []
    /// Expectations that failed, in order.
    private(set) var failedExpectations: [FailedExpectation] = []

    /// A world at the beginning of its time, in which nothing is mounted yet.
    ///
    /// `window` is how much later than due an event may happen where the schedule says so.
    /// `preemptions` is how often it may interrupt code that does not wait: before it reads a clock
    /// or takes a lock, and after it has started a task.
    public init(
        seed: UInt64 = 1, schedule: any SchedulingPolicy = FirstInFirstOut(),
        window: Duration = .zero, preemptions: Int = 0
    ) {
        self.seed = seed
        randomness = RandomStream(seed: seed)
        simulation = Simulation(
            policy: schedule, windowNanoseconds: window.nanosecondsClamped,
            systemRandomness: randomness.stream("client.random"))
        dispatch = VirtualDispatch(simulation)
        dispatch.allow(preemptions: preemptions)
        dispatch.world = self
    }

    /// The virtual time that has passed since the world began.
    public var now: Duration { .nanoseconds(simulation.now.nanoseconds) }

    /// States an expectation for the judge of the run: a failed one is listed in
    /// ``WorldRun/failedExpectations``, and in the findings of an exploration.
    ///
    /// ```swift
    /// world.expect(await api.user == nil, "no user is signed in after a sign-out")
    /// ```
    public func expect(
        _ condition: Bool, _ sentence: String, file: StaticString = #fileID, line: UInt = #line
    ) {
        guard !condition else { return }
        failedExpectations.append(
            FailedExpectation(
                sentence: sentence, place: "\(file):\(line)", instant: simulation.now))
    }

    /// Sets the clock that tells the world's code the time of day; time passes as before.
    ///
    /// The setting lasts until the world ends, and is a century either way at the most. The
    /// service's own clock stays right.
    public func setClock(aheadBy span: Duration) {
        let century = Duration.seconds(3_162_240_000)
        let set = min(max(span, .zero - century), century)
        squall_set_wall_clock_ahead(set.nanosecondsClamped)
    }

    /// Puts a service behind a network of its own, with a server of its own.
    ///
    /// - Precondition: no other service of the world answers on its origin.
    public func mount(
        _ service: TokenService, over conditions: NetworkConditions = NetworkConditions()
    ) -> MountedService { mount(service, over: conditions, tap: nil) }

    func mount(
        _ service: TokenService, over conditions: NetworkConditions, tap: WireTap?
    ) -> MountedService {
        var conditions = conditions
        conditions.tokens = service.tokens
        conditions.server.serviceTimes.merge(service.serviceTimes) { own, _ in own }
        let root = randomness.stream(number: UInt64(services.count))
        return mount(
            [service.service(randomness: root, userCount: conditions.users)], over: conditions,
            tap: tap)
    }

    /// Puts services of your own behind a network of their own; the first also answers on origins
    /// that no other has.
    public func mount(
        _ all: [any Service], over conditions: NetworkConditions = NetworkConditions()
    ) -> MountedService { mount(all, over: conditions, tap: nil) }

    private func mount(
        _ all: [any Service], over conditions: NetworkConditions, tap: WireTap?
    ) -> MountedService {
        let origins = all.flatMap(\.origins)
        for other in services {
            let shared = origins.first { other.origins.contains($0) }
            precondition(shared == nil, "two services serve \(shared ?? "")")
        }
        let mounted = MountedService(
            all, conditions: conditions, simulation: simulation,
            randomness: randomness.stream(number: UInt64(services.count)), tap: tap)
        services.append(mounted)
        return mounted
    }

    func meets(actor: UnsafeRawPointer) {
        if let detector { detector.sees.meets(actor: actor, in: detector.number) }
    }

    func meets(queue: VirtualQueue, of owner: (any CodeOwner)?) {
        if let detector { detector.sees.meets(queue: queue, in: detector.number) }
    }

    /// The service that answers on an origin.
    func service(at origin: String) -> MountedService? {
        services.first { $0.origins.contains(origin) }
    }

    func exchange(
        _ request: SquallHTTP.URLRequest, user: Int?
    ) async throws(TransportError) -> (answer: TransportResponse, pace: MountedService.Pace?)? {
        guard let mounted = service(at: request.url.origin) else { return nil }
        return try await mounted.exchange(request, user: user)
    }

    /// Runs a body in it, once, and ends it.
    func run(
        for limit: Duration, _ body: @escaping @Sendable (TestWorld) async throws -> Void
    ) -> WorldRun {
        defer { dispatch.releaseAll() }
        return play(for: limit, body)
    }

    /// Runs a body in it, once; its maker ends it with ``release()``.
    func play(
        for limit: Duration, _ body: @escaping @Sendable (TestWorld) async throws -> Void
    ) -> WorldRun {
        var run = WorldRun(seed: seed)
        guard VirtualDispatch.isAvailable else {
            run.failure = WorldError.notInterposed
            return run
        }
        do { try ExecutorSelfTest.run() } catch {
            run.failure = error
            return run
        }
        WorldURLProtocol.register()
        let end = Box<(instant: Instant?, failure: (any Error)?)>((nil, nil))
        defer { squall_set_wall_clock_ahead(0) }
        // A test's own task-local values decide to whom the body's expectations are reported.
        simulation.spawnInheriting { [self] in
            do { try await body(self) } catch { end.value.failure = error }
            end.value.instant = simulation.now
            simulation.stop()
        }
        do {
            let span = limit.nanosecondsClamped
            let pause = try dispatch.run(until: Instant(nanoseconds: span))
            run.failure = end.value.failure
            if end.value.instant == nil { run.hangs = hangs(pause) }
        } catch {
            run.failure = error
        }
        run.take(from: self, endedAt: end.value.instant ?? simulation.now)
        // What is ready runs now that its results no longer count: the next world would find
        // unfinished state in objects of the process, such as a flag that a block on a queue was
        // about to clear. A loop that never waits is cut off in the end.
        _ = try? dispatch.run(until: simulation.now)
        return run
    }

    /// How many jobs and events may run after the end of a world.
    private static let endingItems = 1_024

    /// Ends it when everything was judged: what still waits in it goes on and ends, because a task
    /// that stayed behind would keep the client and the world.
    ///
    /// Its network is gone, suspended devices go on, repeating timers stop, and time passes until
    /// nothing is left, or what is left repeats without an end.
    func release() {
        for service in services { service.network.close() }
        simulation.policy = FirstInFirstOut()
        simulation.releaseDevices()
        dispatch.endsLoops()
        // Code of an app that was killed goes on here, so what it uses is still there. Where a loop
        // of it was cut off, that stays for ever.
        if goOn(), !killed.isEmpty {
            simulation.spawnInheriting { [self] in killed = [] }
            goOn()
        } else if !killed.isEmpty {
            _ = Unmanaged.passRetained(Box(killed))
            killed = []
        }
        simulation.checkpoint = nil
        dispatch.releaseAll()
    }

    /// Runs until nothing is left; false if a loop had to be cut off.
    @discardableResult
    private func goOn() -> Bool {
        let last = simulation.itemsRun + TestWorld.endingItems
        var isWhole = true
        simulation.checkpoint = { [unowned simulation] in
            guard simulation.itemsRun > last else { return }
            isWhole = false
            simulation.stop()
        }
        _ = try? dispatch.run(until: Instant(nanoseconds: .max / 2))
        return isWhole
    }

    /// Keeps the client of a killed start of the app until the world ends.
    func keepAlive(_ client: some Sendable) { killed.append(client) }

    private func hangs(_ pause: Simulation.Pause) -> [Hang] {
        let reason =
            pause == .quiescent
            ? "nothing can happen any more that it waits for" : "the time limit has come"
        let body = Hang(what: "the body of the world", reason: reason, since: simulation.now)
        let standing = dispatch.standing.map {
            Hang(what: $0.place, reason: "waits for \($0.reason)", since: $0.since)
        }
        return [body] + standing + services.flatMap(\.unanswered)
    }
}
