import SquallClient
import SquallHTTP
import SquallKernel
import SquallLab

/// The client's real retry policy over a network with independent failures.
struct RetryModel {
    /// The number of tries of each layer.
    let attemptsMax: Int
    /// The number of sessions in a chain, each retrying the next one.
    var layers = 1
    let failureProbability: Double
    let requests: Int

    /// The result.
    struct Tally {
        /// Sends that reached the network behind the last layer.
        var attempts = 0
        /// Requests that were answered in the end.
        var successes = 0
    }

    /// Makes all requests one after another.
    func run(_ randomness: RandomStream) throws -> Tally {
        let simulation = Simulation()
        let network = FailingNetwork(
            failureProbability: failureProbability, stream: randomness.stream("failure"))
        var transport: any Transport = network
        for _ in 1..<layers {
            transport = Gateway(session: session(over: transport, simulation, randomness))
        }
        let first = session(over: transport, simulation, randomness)
        let count = Counter()
        simulation.spawn { [requests] in
            for _ in 0..<requests {
                let answer = await first.request(SmallRequest(token: "")).validate()
                    .serializingData().result
                if case .success = answer { count.value += 1 }
            }
        }
        _ = try simulation.run(until: Instant(nanoseconds: .max))
        return Tally(attempts: network.sends.value, successes: count.value)
    }

    private func session(
        over transport: any Transport, _ simulation: Simulation, _ randomness: RandomStream
    ) -> Session {
        Session(
            environment: SessionEnvironment(
                transport: transport, time: simulation,
                random: SimulatedRandomness(root: randomness)),
            interceptor: RetryPolicy(retryLimit: UInt(attemptsMax - 1)))
    }
}

/// A counter shared by the tasks of one simulation.
private final class Counter: @unchecked Sendable {
    // Safe because it is touched on the simulation's thread only.
    var value = 0
}

/// Answers 503 with some probability and 200 otherwise, at once.
private struct FailingNetwork: Transport {
    let failureProbability: Double
    let stream: RandomStream
    let sends = Counter()

    func send(_ request: URLRequest, cause: RequestCause) async throws(TransportError)
        -> TransportResponse
    {
        let ordinal = UInt64(sends.value)
        sends.value += 1
        let status = stream.chance(failureProbability, at: ordinal) ? 503 : 200
        return TransportResponse(
            head: HTTPURLResponse(url: request.url, statusCode: status), body: Body("{}"))
    }
}

/// A server in the middle: forwards requests through its own session, which retries.
private struct Gateway: Transport {
    let session: Session

    func send(_ request: URLRequest, cause: RequestCause) async throws(TransportError)
        -> TransportResponse
    {
        let answer = await session.request(request).validate()
            .serializingData().result
        guard case .success(let body) = answer else {
            return TransportResponse(
                head: HTTPURLResponse(url: request.url, statusCode: 503), body: .empty)
        }
        return TransportResponse(
            head: HTTPURLResponse(url: request.url, statusCode: 200), body: body)
    }
}
