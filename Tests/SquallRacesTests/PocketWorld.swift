import SquallBackend
import SquallHTTP
import SquallKernel
import SquallServices
import TestSupport

@testable import SquallRaces

/// A token service with the smallest client there is, which may have a slip.
struct PocketUnderTest: ClientUnderTest {
    var slip = PocketClient.Slip.none
    /// Another client in the place of the smallest one.
    var app: PocketWorld.App?

    static let service = TokenService(
        .bearer, accessLifetime: .seconds(300),
        routes: [
            .get("/posts"), .get("/profile"), .post("/posts", status: 201),
            .get("/items") { call in
                let page = call.query("page").flatMap(Int.init) ?? 0
                return ServiceReply(json: page < 3 ? "\(page * 2),\(page * 2 + 1)" : "")
            },
        ])

    let name: String? = "pocket"
    var endpoints: [EndpointDescription] { Self.service.endpoints }
    var logOut: String? { Self.service.form.logOut.name }
    var expiredStatus: Int { Self.service.form.expired.status }
    var tokens: TokenPolicy { Self.service.tokens }
    var abilities: Set<Drill.Ability> { [.failureHeaders, .omission] }

    func needsToken(_ endpoint: String) -> Bool {
        Self.service.routes.contains { $0.name == endpoint }
    }

    func world(
        _ setting: ServerConfiguration, _ schedule: Schedule, _ plan: ExplorationPlan
    ) -> any ClientWorld { PocketWorld(slip, setting, schedule, app: app) }

    func replay(
        _ drill: Drill, before server: DrillServer, choices: [UInt16]?, _ plan: ExplorationPlan
    ) -> String { "\(drill.id) \(server.code) \(choices ?? [])" }
}

/// Its world: a device, and a backend that answers at once.
final class PocketWorld: ClientWorld, @unchecked Sendable {
    // Safe because everything happens on the thread that runs its world.

    let simulation: Simulation
    let tap: WireTap
    var storage: (any DrilledStorage)? { shelf }
    let shelf = PocketStorage()
    let backend: Backend
    let origin = ""
    private let slip: PocketClient.Slip
    private let app: App?
    private var clockAhead: Duration = .zero
    private var gone: Set<Int> = []
    private var requests: UInt32 = 0

    typealias App = @Sendable (PocketWorld) -> DrillClient

    init(
        _ slip: PocketClient.Slip, _ setting: ServerConfiguration, _ schedule: Schedule,
        app: App? = nil
    ) {
        (self.slip, self.app) = (slip, app)
        simulation = Simulation(schedule)
        tap = WireTap(drilling: simulation, schedule)
        var service = PocketUnderTest.service
        service.failureHeaders = setting.failureHeaders
        var plan = BackendPlan()
        (plan.tokens, plan.faults, plan.userCount) = (setting.tokens, setting.faults, 4)
        (plan.network.up, plan.network.down) = (
            .constant(nanoseconds: 40_000_000), .constant(nanoseconds: 40_000_000)
        )
        plan.server.serviceTime = .constant(nanoseconds: 0)
        plan.network.connections = setting.connections
        let root = RandomStream(seed: 1)
        backend = Backend(
            simulation: simulation, plan: plan,
            services: [service.service(randomness: root, userCount: 4)], randomness: root,
            observer: tap)
    }

    /// What the server's clock says, and the device's.
    var now: Duration { .nanoseconds(simulation.now.nanoseconds) }
    var clock: Duration { now + clockAhead }

    /// Sends a request of a start of the app; one that was killed hears nothing any more.
    func send(
        _ method: HTTPMethod, _ path: String, _ life: Int, token: String? = nil, form: String = "",
        query: String? = nil
    ) async throws -> (status: Int, body: String, retryAfter: String?) {
        if gone.contains(life) { throw PocketClient.Failure("gone") }
        var request = URLRequest(
            url: WebURL(origin: PocketUnderTest.service.origin, path: path, query: query),
            method: method,
            body: Body(form))
        if let token { request.headers.add(.authorization("Bearer \(token)")) }
        requests += 1
        let cause = RequestCause(user: UInt64(life), request: requests)
        let answer = try await backend.transport.send(request, cause: cause)
        if gone.contains(life) { throw PocketClient.Failure("gone") }
        return (
            answer.head.statusCode, String(decoding: answer.body.bytes, as: UTF8.self),
            answer.head.headers["Retry-After"]
        )
    }

    func pause(_ span: Duration) async {
        try? await simulation.sleep(nanoseconds: span.nanosecondsClamped)
    }

    func startApp(life: Int) -> DrillClient {
        app?(self) ?? PocketClient(self, life: life, slip).asDrilled
    }

    func kill(life: Int) { gone.insert(life) }

    func setClock(aheadBy span: Duration) { clockAhead = span }
}

/// What the device keeps: a pair of tokens.
final class PocketStorage: DrilledStorage {
    private(set) var wasUsed = false
    private var tokens: PocketClient.Tokens?
    private var failures = 0
    private(set) var slowness: Duration = .zero

    func fail(times: Int) { failures = times }
    func slowDown(to pause: Duration) { slowness = pause }

    /// What an earlier version has kept, in its own place.
    private(set) var older: PocketClient.Tokens?

    func load() throws -> PocketClient.Tokens? {
        guard failures == 0 else { throw PocketClient.Failure("the shelf is locked") }
        return tokens
    }

    func saveAsEarlier(_ old: PocketClient.Tokens) { (wasUsed, older) = (true, old) }

    func save(_ new: PocketClient.Tokens?) throws {
        wasUsed = true
        guard failures == 0 else {
            failures -= 1
            throw PocketClient.Failure("the shelf is locked")
        }
        tokens = new
    }
}
