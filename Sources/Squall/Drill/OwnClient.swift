import SquallBackend
import SquallHTTP
import SquallKernel
import SquallRaces
import SquallServices

/// A caller's client of a service, for drills: each is played in a `TestWorld` of its own.
struct OwnClient: ClientUnderTest {
    let service: TokenService
    let makeClient: @Sendable (DrillDevice) throws -> DrillClient
    private let detector = SharedStateDetector()

    let name: String? = nil
    var endpoints: [EndpointDescription] { service.endpoints }
    var logOut: String? { service.form.logOut.name }
    var expiredStatus: Int { service.form.expired.status }
    var tokens: TokenPolicy { service.tokens }
    var abilities: Set<Drill.Ability> {
        service.repeatsRefreshToken ? [.failureHeaders] : [.failureHeaders, .omission]
    }

    func needsToken(_ endpoint: String) -> Bool {
        service.routes.first { $0.name == endpoint }?.needsToken ?? false
    }

    /// A host that is not the API's, and reads what the API's calls show.
    fileprivate var foreignService: TokenService {
        var other = service
        (other.name, other.origin, other.otherOrigins) = (
            "foreign", ServerConfiguration.foreignHost, []
        )
        for index in other.routes.indices { other.routes[index].needsToken = false }
        return other
    }

    func world(
        _ setting: ServerConfiguration, _ schedule: Schedule, _ plan: ExplorationPlan
    ) -> any ClientWorld {
        let clientWorld = OwnClientWorld(self, setting, schedule, plan)
        detector.watch(clientWorld.world)
        return clientWorld
    }

    var leakedAcrossRuns: [String] { detector.leakedAcrossRuns }

    func replay(
        _ drill: Drill, before server: DrillServer, choices: [UInt16]?, _ plan: ExplorationPlan
    ) -> String {
        let seed = plan.seed == 1 ? "" : ", seed: \(plan.seed)"
        let preemptions = plan.preemptions == 0 ? "" : ", preemptions: \(plan.preemptions)"
        let played = choices.map { "choices: \($0)" } ?? "schedules: \(plan.schedules)"
        return "try drill(over: service, asking: [.\(drill.id)], before: [\(server.code)], "
            + "\(played)\(seed)\(preemptions), client: …)"
    }
}

/// The world of a drill of a client of one's own.
private final class OwnClientWorld: ClientWorld, @unchecked Sendable {
    // Safe because everything happens on the thread that runs its world.

    let world: TestWorld
    let tap: WireTap
    private let own: OwnClient
    private let setting: ServerConfiguration
    private var foreign: MountedService?
    private var isRemoved = false
    private var device: DrillDevice?

    init(
        _ own: OwnClient, _ setting: ServerConfiguration, _ schedule: Schedule,
        _ plan: ExplorationPlan
    ) {
        self.own = own
        self.setting = setting
        world = TestWorld(
            seed: plan.seed, schedule: schedule.policy,
            window: .nanoseconds(schedule.windowNanoseconds), preemptions: plan.preemptions)
        tap = WireTap(drilling: world.simulation, schedule)
        world.recorder = tap.recorder
    }

    var simulation: Simulation { world.simulation }
    var backend: Backend { mounted.backend }
    var origin: String { mounted.origins.first ?? "" }
    var storage: (any DrilledStorage)? { device?.storage }

    /// The service, mounted at its first use by the world's code.
    private lazy var mounted: MountedService = {
        var service = own.service
        service.tokens = setting.tokens
        service.otherOrigins.append(ServerConfiguration.otherHost)
        service.failureHeaders.merge(setting.failureHeaders) { $1 }
        var conditions = NetworkConditions(
            roundTrip: ServerConfiguration.roundTrip, users: ServerConfiguration.users)
        conditions.faults = setting.faults
        conditions.network.connections = setting.connections
        let mounted = world.mount(service, over: conditions, tap: tap)
        let redirection = setting.failureHeaders["Location"] ?? ""
        if redirection.hasPrefix(ServerConfiguration.foreignHost) {
            foreign = world.mount(own.foreignService)
        }
        return mounted
    }()

    var foreignRequests: (all: Int, withToken: Int) {
        let log = foreign?.log ?? []
        return (log.count, log.count { $0.accessToken != nil })
    }

    func run(
        for limit: Duration, _ body: @escaping @Sendable () async throws -> Void
    ) throws -> DrillEnding {
        let run = world.play(for: limit) { _ in try await body() }
        if !run.escapes.isEmpty { throw WorldError.escaped(run.escapes) }
        var ended = DrillEnding()
        if run.failure is SimulationError {
            ended.isSpinning = true
        } else if let failure = run.failure {
            throw failure
        }
        ended.isWhole = run.hangs.isEmpty
        // The first is the body itself.
        ended.blocks = run.hangs.dropFirst().first.map { "\($0.what) \($0.reason)" }
        ended.failedExpectations = run.failedExpectations.map(\.description)
        return ended
    }

    func startApp(life: Int) throws -> DrillClient {
        let next = isRemoved ? device?.reinstalled() : device?.restarted()
        isRemoved = false
        let device = next ?? DrillDevice(mounted)
        self.device = device
        return try own.makeClient(device)
    }

    func keepAlive(_ client: DrillClient) { world.keepAlive(client) }
    func end() { world.release() }
    func eraseDefaults() { isRemoved = true }
    func kill(life: Int) { mounted.network.disconnect(UInt64(life)) }

    func setClock(aheadBy span: Duration) { world.setClock(aheadBy: span) }
}
