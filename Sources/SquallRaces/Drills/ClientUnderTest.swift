public import SquallBackend
public import SquallKernel
import SquallServices

/// Makes the worlds that drills are played in: an API and a client of it.
///
/// Every provider of clients conforms to it: the test door for code of a package, the tool for apps
/// and for what a profile declares. A drill is the same for all of them.
public protocol ClientUnderTest: Sendable {
    /// The client's name in reports; `nil` where the reader has brought the client.
    var name: String? { get }
    /// The calls of the API.
    var endpoints: [EndpointDescription] { get }
    /// The name of the call that a sign-out makes; `nil` for an API without one.
    var logOut: String? { get }
    /// The status of a response to an expired access token.
    var expiredStatus: Int { get }
    /// How long tokens live; the drill's server decides what a refresh does to them.
    var tokens: TokenPolicy { get }
    /// Abilities of the API that not every API has.
    var abilities: Set<Drill.Ability> { get }

    /// Objects that code of more than one world has used, although each world has its own device.
    var leakedAcrossRuns: [String] { get }

    /// The outcomes of its actions with their meanings, for the legend of timelines.
    var outcomes: [(name: String, meaning: String)] { get }

    /// False for a call that anyone may make.
    func needsToken(_ endpoint: String) -> Bool
    /// A world in which nothing has happened yet; it uses the plan's seed and preemptions.
    ///
    /// - Throws: what keeps the world from being built.
    func world(
        _ setting: ServerConfiguration, _ schedule: Schedule, _ plan: ExplorationPlan
    ) throws -> any ClientWorld
    /// The line that plays an order of events again.
    func replay(
        _ drill: Drill, before server: DrillServer, choices: [UInt16]?, _ plan: ExplorationPlan
    ) -> String
}

extension ClientUnderTest {
    /// None: its worlds make everything anew.
    public var leakedAcrossRuns: [String] { [] }
    /// None: its actions end with errors of its own.
    public var outcomes: [(name: String, meaning: String)] { [] }
}

/// A world of a drill: one device that starts an app once or several times, and the backend.
///
/// It is used on the thread that runs its world.
public protocol ClientWorld: DrilledDevice, DrilledServer, DrilledTime, AnyObject, Sendable {
    /// The observer that writes down what crosses the wire.
    var tap: WireTap { get }
    /// Ends the world after everything was judged: tasks that still wait are released.
    func end()
}

extension ClientWorld {
    /// Leaves nothing waiting: right for a world without tasks of its own.
    public func end() {}
}

/// The device of a drill, with the starts of the app on it, which are numbered from 0.
public protocol DrilledDevice {
    /// Breaks the device's storage; `nil` where the client has one of its own.
    var storage: (any DrilledStorage)? { get }
    /// The requests that reached a host that is not the API's.
    var foreignRequests: (all: Int, withToken: Int) { get }

    /// Starts the app: the first time on a new device, later with what the device has kept.
    ///
    /// Its requests carry the number of the start.
    ///
    /// - Throws: what making the client throws.
    func startApp(life: Int) throws -> DrillClient
    /// Kills a start of the app: nothing that it has begun has an effect any more.
    func kill(life: Int)
    /// Keeps the client of a start that was killed until what it had begun has ended: a killed
    /// process deinitializes nothing.
    func keepAlive(_ client: DrillClient)
    /// Suspends a start of the app: nothing of it goes on, and nothing reaches it.
    func suspend(life: Int)
    /// Resumes a start of the app.
    func resume(life: Int)
    /// Sets the device's clock, until the world ends.
    func setClock(aheadBy span: Duration)
    /// Erases what the device keeps only until the app is removed.
    func eraseDefaults()
}

extension DrilledDevice {
    /// None: the world has no other host.
    public var foreignRequests: (all: Int, withToken: Int) { (0, 0) }

    /// Keeps nothing: right for a client whose objects end with its tasks.
    public func keepAlive(_ client: DrillClient) {}

    /// Erases nothing: the device keeps no defaults.
    public func eraseDefaults() {}
}

extension DrilledDevice where Self: DrilledTime {
    /// Holds everything on the device.
    public func suspend(life: Int) { simulation.suspendDevice(of: UInt64(life)) }

    /// Lets what was held happen.
    public func resume(life: Int) { simulation.resumeDevice(of: UInt64(life)) }
}

/// The server of a drill, and its accounts.
public protocol DrilledServer {
    /// The backend of the API.
    var backend: Backend { get }
    /// Where the API's accounts are.
    var origin: String { get }

    /// The user that owns an account.
    func person(_ name: String, account: Int) -> DrillPerson
    /// Makes every access token that was issued so far count as expired.
    func expireAccessTokens()
    /// Makes every refresh token that was issued so far count as expired.
    func revokeRefreshTokens()
}

extension DrilledServer {
    /// A user who signs in with a password or gets tokens of the backend's.
    public func person(_ name: String, account: Int) -> DrillPerson {
        DrillPerson(
            name, account: account,
            credentials: backend.credentials(of: UInt64(account), at: origin)
        ) { [backend] in
            IssuedTokens(
                access: backend.issue(.access, to: account),
                refresh: backend.issue(.refresh, to: account))
        }
    }

    /// Calls the backend; a world that serves tokens in another way has a method of its own.
    public func expireAccessTokens() { backend.expireAccessTokens() }

    /// Calls the backend; a world that serves tokens in another way has a method of its own.
    public func revokeRefreshTokens() { backend.revokeRefreshTokens() }
}

/// The time of a drill: a simulation's, or with a real app that of the clock.
public protocol DrilledTime {
    /// The world's time and events.
    var simulation: Simulation { get }
    /// True if a real app acts in it, which makes as many calls as it likes when it likes.
    var isLive: Bool { get }
    /// How much time has passed in it.
    var elapsed: Duration { get }

    /// Runs a body until it ends, but for no longer than a limit.
    ///
    /// - Throws: what the body throws, and what makes the world useless.
    func run(
        for limit: Duration, _ body: @escaping @Sendable () async throws -> Void
    ) throws -> DrillEnding
    /// Lets time pass as far as it can without waiting; returns what is left to wait.
    func pass(_ span: Duration) async -> Duration
}

extension DrilledTime {
    /// False: the client belongs to the world.
    public var isLive: Bool { false }

    /// The simulation's time since the world began.
    public var elapsed: Duration { .nanoseconds(simulation.now.nanoseconds) }

    /// Skips nothing; all of the span is left to wait.
    public func pass(_ span: Duration) async -> Duration { span }

    /// Runs a body in its simulation.
    ///
    /// - Throws: what the body throws.
    public func run(
        for limit: Duration, _ body: @escaping @Sendable () async throws -> Void
    ) throws -> DrillEnding {
        let ended = Box<Result<Void, any Error>?>(nil)
        simulation.spawn { [simulation] in
            do { ended.value = .success(try await body()) } catch { ended.value = .failure(error) }
            simulation.stop()
        }
        var run = DrillEnding()
        do {
            let span = limit.nanosecondsClamped
            _ = try simulation.run(until: Instant(nanoseconds: span))
        } catch is SimulationError {
            run.isSpinning = true
        }
        try ended.value?.get()
        run.isWhole = ended.value != nil
        return run
    }
}

/// A device's storage, which a drill can break.
public protocol DrilledStorage {
    /// False for a drill in which the app neither read nor kept anything.
    var wasUsed: Bool { get }
    /// Makes it fail this many times from now on.
    func fail(times: Int)
    /// Makes each access take this long from now on.
    func slowDown(to pause: Duration)
}

/// The ending of the world of a drill.
public struct DrillEnding: Sendable {
    /// True if time stood still while events went on without end.
    public var isSpinning = false
    /// False if the body did not end within its limit.
    public var isWhole = true
    /// What blocks the body's own code where it did not end: a client that never returns.
    public var blocks: String?
    /// Expectations of the client's own code that failed.
    public var failedExpectations: [String] = []

    /// A run that ended as it should.
    public init() {}
}
