import SquallClient
import SquallHTTP
import SquallKernel
import SquallLab
import Synchronization

/// The cost of the client alone: a request, and an idle session.
extension Benchmark {
    static let client: [Benchmark] = [
        Benchmark(
            "client/request, immediate answer",
            about: "One small request through session, interceptor, validation and decoding."
        ) { try requests(through: ImmediateTransport()) },
        Benchmark(
            "client/request, 1k users",
            about: "One small request of one of 1,000 sessions in turn, each with two interceptors."
        ) { try requestsOfManyUsers() },
        Benchmark(
            "memory/100k idle sessions",
            about: "One user's session and its two interceptors, idle after a first request.",
            repetitions: 1, isAlone: true, measure: idleSessions),
    ]

    static func requests(
        through transport: any Transport, simulation: Simulation = .withoutDelays,
        token: String = "token"
    ) throws -> Sample {
        let count = 30_000
        let environment = SessionEnvironment.bench(transport, simulation)
        let session = Session(environment: environment, interceptor: RetryPolicy())
        let request = SmallRequest(token: token)
        return try sample(count) {
            simulation.spawn {
                for _ in 0..<count { await session.read(request) }
            }
            _ = try simulation.run(until: Instant(nanoseconds: .max))
        }
    }

    private static func requestsOfManyUsers() throws -> Sample {
        let rounds = 30
        let simulation = Simulation.withoutDelays
        let environment = SessionEnvironment.bench(ImmediateTransport(), simulation)
        let sessions = (0..<1_000).map { Session.bench(environment, user: $0) }
        let request = SmallRequest(token: "")
        return try sample(rounds * sessions.count) {
            simulation.spawn {
                for _ in 0..<rounds {
                    for session in sessions { await session.read(request) }
                }
            }
            _ = try simulation.run(until: Instant(nanoseconds: .max))
        }
    }

    private static func idleSessions() throws -> Sample {
        let users: UInt64 = 100_000
        let simulation = Simulation.withoutDelays
        let environment = SessionEnvironment.bench(ImmediateTransport(), simulation)
        let request = SmallRequest(token: "")
        let sessions = Mutex<[Session]>([])
        sessions.withLock { $0.reserveCapacity(Int(users)) }
        // The first request fills caches of the whole program, which belong to no session.
        simulation.spawn { await Session.bench(environment, user: users).read(request) }
        _ = try simulation.run(until: simulation.now)
        let (_, nanoseconds, note) = try resident(Int64(users), each: "a session") {
            simulation.spawn {
                for user in 0..<users {
                    let session = Session.bench(environment, user: user)
                    await session.read(request)
                    sessions.withLock { $0.append(session) }
                }
            }
            _ = try simulation.run(until: simulation.now)
        }
        return withExtendedLifetime(sessions.withLock { $0 }) {
            Sample(operations: Int(users), nanoseconds: nanoseconds, note: note)
        }
    }
}

extension Simulation {
    /// A simulation in which any number of requests may be answered at the instant they are sent.
    static var withoutDelays: Simulation { Simulation(itemsPerInstantMax: .max) }
}

extension SessionEnvironment {
    fileprivate static func bench(
        _ transport: any Transport, _ simulation: Simulation
    ) -> SessionEnvironment {
        SessionEnvironment(
            transport: transport, time: simulation,
            random: SimulatedRandomness(root: RandomStream(seed: 1)))
    }
}

extension Session {
    /// A session of a careful app: a token on every request, and a retry after failures.
    fileprivate static func bench(_ environment: SessionEnvironment, user: UInt64) -> Session {
        Session(
            environment: environment, user: user,
            interceptor: Interceptor(
                interceptors: [Authorizing(token: "token"), RetryPolicy()]))
    }

    fileprivate func read(_ request: SmallRequest) async {
        let result = await self.request(request).validate().serializingDecodable(Likes.self).result
        guard case .success = result else {
            preconditionFailure("the benchmark's request failed: \(result)")
        }
    }
}

/// Puts a token on every request, with a completion, as apps do.
private final class Authorizing: RequestInterceptor {
    let token: String

    init(token: String) { self.token = token }

    func adapt(
        _ urlRequest: URLRequest, for session: Session,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        var urlRequest = urlRequest
        urlRequest.headers.update(name: "Authorization", value: token)
        completion(.success(urlRequest))
    }
}

/// Answers every request at once.
private struct ImmediateTransport: Transport {
    private static let body = Body("{\"data\":[],\"next_cursor\":\"0\"}")

    func send(_ request: URLRequest, cause: RequestCause) async throws(TransportError)
        -> TransportResponse
    {
        TransportResponse(
            head: HTTPURLResponse(url: request.url, statusCode: 200), body: ImmediateTransport.body)
    }
}

/// The decoded answer of the small request.
private struct Likes: Decodable, Sendable {
    let next_cursor: String
}
