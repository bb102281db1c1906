import SquallClient
import SquallHTTP
import SquallKernel
import SquallLab

/// Clients that all write one row, each with the client's real retry policy.
///
/// The experiment of the AWS architecture blog's "Exponential Backoff and Jitter": a client reads
/// the row's version and writes with it; a write with a stale version fails and is repeated from
/// the read after a delay. Every message takes a normal 10 ± 2 ms; delays begin at 5 ms and end at
/// 2 s.
struct ContentionModel {
    let clients: Int
    /// The jitter; `nil` for clients that try again at once.
    let jitter: RetryPacing.Jitter?

    /// The result.
    struct Tally {
        let writes: Int
        /// The time until the last client knows that its write succeeded.
        let nanoseconds: Int64
    }

    /// Starts all clients at once and ends when the last one has succeeded.
    func run(_ randomness: RandomStream) throws -> Tally {
        let simulation = Simulation()
        let row = Row(simulation: simulation, messages: randomness.stream("message"))
        let environment = SessionEnvironment(
            transport: row, time: simulation,
            random: SimulatedRandomness(root: randomness))
        let policy = policy
        for client in 0..<UInt64(clients) {
            let session = Session(environment: environment, user: client, interceptor: policy)
            simulation.spawn {
                _ = await session.request(SmallRequest(token: "")).validate()
                    .serializingData().result
            }
        }
        _ = try simulation.run(until: Instant(nanoseconds: .max))
        return Tally(writes: row.writes, nanoseconds: simulation.now.nanoseconds)
    }

    /// The article counts failures from 1, so its first exponential delay is 2 × 5 ms; its
    /// decorrelated delay begins with the base itself.
    private var policy: RetryPolicy {
        let first =
            switch jitter {
            case nil: 0.0
            case .decorrelated: 0.005
            default: 0.010
            }
        return RetryPolicy(
            retryLimit: 100_000, exponentialBackoffScale: first,
            pacing: RetryPacing {
                $0.jitter = jitter ?? .none
                $0.maximumDelay = 2
            })
    }
}

/// A database row with a version, behind a network.
private final class Row: Transport, @unchecked Sendable {
    // Safe because it is touched on the simulation's thread only.

    private(set) var writes = 0
    private var version = 0
    private let simulation: Simulation
    private let messages: RandomStream
    private let delay = Distribution.normal(mean: 10_000_000, deviation: 2_000_000)

    init(simulation: Simulation, messages: RandomStream) {
        self.simulation = simulation
        self.messages = messages
    }

    /// Reads the version and writes with it: four messages.
    func send(_ request: URLRequest, cause: RequestCause) async throws(TransportError)
        -> TransportResponse
    {
        await message(0, cause)
        let read = version
        await message(1, cause)
        await message(2, cause)
        writes += 1
        let isCurrent = read == version
        if isCurrent { version += 1 }
        await message(3, cause)
        return TransportResponse(
            head: HTTPURLResponse(url: request.url, statusCode: isCurrent ? 200 : 503),
            body: Body("{}"))
    }

    private func message(_ number: UInt64, _ cause: RequestCause) async {
        let ordinal = UInt64(cause.attempt) << 2 | number
        let span = delay.sample(messages.stream(number: cause.user), at: ordinal)
        try? await simulation.sleep(nanoseconds: span)
    }
}
