import SquallHTTP
import SquallKernel
import SquallServices
import TestSupport
import Testing

@testable import SquallBackend

/// Signed-in users before a backend, with constant latencies of 20, 5 and 20 milliseconds.
final class BackendWorld {
    let simulation: Simulation
    let backend: Backend
    let log = ExchangeLog()
    private let tokens: [String]

    /// A small answer, a page and a refresh, for tests that do not care which.
    static let smallPath = "/v1/posts/likes-2/me"

    init(
        seed: UInt64 = 1, users: Int = 1, policy: any SchedulingPolicy = FirstInFirstOut(),
        windowNanoseconds: Int64 = 0, _ change: (inout BackendWorldPlan) -> Void = { _ in }
    ) {
        simulation = Simulation(policy: policy, windowNanoseconds: windowNanoseconds)
        var plan = BackendWorldPlan()
        plan.far.userCount = users
        plan.services.userCount = users
        plan.network.up = .constant(nanoseconds: 20_000_000)
        plan.network.down = .constant(nanoseconds: 20_000_000)
        plan.server.serviceTime = .constant(nanoseconds: 5_000_000)
        change(&plan)
        let backend = Backend(
            simulation: simulation, plan: plan.far,
            services: ServiceKind.services(plan.services, randomness: RandomStream(seed: seed)),
            randomness: RandomStream(seed: seed), observer: log)
        self.backend = backend
        tokens = (0..<users).map {
            backend.signIn(user: UInt64($0)).accessToken
        }
    }

    var ends: [String] { log.lines }

    var counters: BackendCounters { backend.counters }

    /// What the requests of an endpoint met before the workers.
    func line(_ endpoint: String) -> EndpointLine? {
        counters.server.lines.first { $0.endpoint.name == endpoint }?.line
    }

    /// Sends requests of a user at one instant, numbered from `first`.
    func send(
        _ count: Int, path: String = BackendWorld.smallPath, user: Int = 0, first: Int = 0,
        key: String = "scrolly-key", body: Body = .empty, after delay: Int64 = 0,
        cancelAfterNanoseconds: Int64? = nil, pool: UInt8 = 0
    ) {
        send(
            request(path, user: user, key: key, body: body), count, user: user, first: first,
            after: delay, cancelAfterNanoseconds: cancelAfterNanoseconds, pool: pool)
    }

    /// A request with a user's token.
    func request(
        _ path: String = BackendWorld.smallPath, user: Int = 0, key: String = "scrolly-key",
        body: Body = .empty
    ) -> URLRequest {
        URLRequest(
            url: WebURL(origin: "http://h", path: path),
            headers: ["SesacKey": key, "Authorization": tokens[user]], body: body)
    }

    /// Sends the same request some times at one instant.
    func send(
        _ request: URLRequest, _ count: Int = 1, user: Int = 0, first: Int = 0,
        after delay: Int64 = 0, cancelAfterNanoseconds: Int64? = nil, pool: UInt8 = 0
    ) {
        let transport = backend.transport
        for number in first..<first + count {
            let cause = RequestCause(
                user: UInt64(user), request: UInt32(number), pool: pool)
            simulation.spawn { [simulation, log] in
                try? await simulation.sleep(nanoseconds: delay)
                let task = Task { try? await transport.send(request, cause: cause) }
                if let cancelAfterNanoseconds {
                    try? await simulation.sleep(nanoseconds: cancelAfterNanoseconds)
                    task.cancel()
                }
                if let answer = await task.value { log.answers.append(answer) }
            }
        }
    }

    /// Lets everything happen that is going to.
    func run() throws {
        #expect(try simulation.run(until: Instant(nanoseconds: .max)) == .quiescent)
    }
}

/// What there is to choose for a world.
@dynamicMemberLookup
struct BackendWorldPlan {
    var far = BackendPlan()
    var services = ServicesPlan()

    subscript<Value>(dynamicMember path: WritableKeyPath<BackendPlan, Value>) -> Value {
        get { far[keyPath: path] }
        set { far[keyPath: path] = newValue }
    }
}

/// What clients and the server's log learnt, in order.
final class ExchangeLog: BackendObserver, @unchecked Sendable {
    // Safe because everything in it happens on the simulation's thread.

    private(set) var lines: [String] = []
    private(set) var served: [ServerRecord] = []
    var answers: [TransportResponse] = []
    private(set) var connections: [ConnectionEvent] = []

    var keepsServerLog: Bool { true }

    func exchangeEnded(_ exchange: ExchangeRecord) {
        let outcome =
            switch exchange.outcome {
            case .status(200): "ok"
            case .status(let status): "\(status)"
            case .error(let code): "\(code)"
            case .neverEnded: "neverEnded"
            }
        let milliseconds = exchange.ended.nanoseconds / 1_000_000
        lines.append("\(exchange.cause.request) \(outcome) at \(milliseconds) ms")
    }

    func requestReplied(_ record: ServerRecord) { served.append(record) }

    func connectionChanged(
        _ event: ConnectionEvent, _ cause: RequestCause, _ endpoint: Endpoint
    ) {
        connections.append(event)
    }
}
