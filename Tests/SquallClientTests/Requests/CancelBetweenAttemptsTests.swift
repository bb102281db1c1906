import SquallHTTP
import SquallKernel
import Testing

@testable import SquallClient

@Suite("Cancellation between two attempts")
struct CancelBetweenAttemptsTests {
    @Test(
        "Cancelled while its second attempt is adapted, a request hangs")
    func adapting() throws {
        let scene = Scene()
        let ends = try scene.run(.success(.test))
        #expect(ends == [] && scene.parked == [.cancelledRetry])
        #expect(scene.world.transport.requests.count == 1)
        try scene.world.release()
        #expect(scene.ended.values.count == 1)
    }

    @Test(
        "A request cancelled during adapting ends when the adapting then fails")
    func adaptingFails() throws {
        let scene = Scene()
        let ends = try scene.run(.failure(TestError()))
        #expect(ends == ["requestAdaptationFailed after 500 at 5.0"])
    }

    @Test(
        "Cancelled while its second attempt waits for a proactive refresh, a request hangs")
    func deferred() throws {
        let world = AuthenticationWorld { _ in 401 }
        let ended = Notes<String>()
        let request = world.world.session(world.interceptor).request(URLRequest.test).validate()
        try world.run {
            request.responseData { ended.append($0.summary) }
            await world.sleep(0.005)
            world.interceptor.credential = TestCredential(access: "b0", requiresRefresh: true)
            await world.sleep(0.05)
            request.cancel()
        }
        #expect(ended.values == [])
        #expect(world.world.stack.parkedRequests.map(\.lost.place) == [.cancelledRetry])
        #expect(world.tokens == ["a0"] && world.counts.refresh == 1)
    }

    @Test(
        "Cancelled during a retry that a serializer's failure asked for, a request hangs")
    func serializing() throws {
        let world = Simulated { _, _ in .status(200, "no number") }
        let request = world.session(Probe(retries: 9, delay: 10)).request(URLRequest.test)
        let ended = Notes<String>()
        try world.run {
            request.responseDecodable(of: Int.self) { ended.append($0.summary) }
            try? await world.simulation.sleep(nanoseconds: 3_000_000_000)
            request.cancel()
        }
        #expect(ended.values == [])
        #expect(world.stack.parkedRequests.map(\.lost.place) == [.cancelledRetry])
    }

    @Test(
        "A retrier asked about a serializer's failure may still end a cancelled request")
    func serializingEnds() throws {
        let world = Simulated { _, _ in .status(200, "no number") }
        let kept = Notes<@Sendable (RetryResult) -> Void>()
        let request = world.session(Retrier { _, _, _, completion in kept.append(completion) })
            .request(URLRequest.test)
        let ended = Notes<Double>()
        try world.run {
            request.responseDecodable(of: Int.self) { _ in ended.append(seconds(world.simulation)) }
            try? await world.simulation.sleep(nanoseconds: 2_000_000_000)
            request.cancel()
            try? await world.simulation.sleep(nanoseconds: 3_000_000_000)
            kept.values.first?(.doNotRetry)
        }
        #expect(ended.values == [5])
    }

    @Test("A request that was never sent ends at once, also while its retry is pending")
    func neverSent() throws {
        let world = Simulated()
        let probe = Probe(
            adapt: { _, _ in throw TestError() }, retry: { _, _ in .retryWithDelay(10) })
        let request = world.session(probe).request(URLRequest.test)
        let ended = Notes<String>()
        try world.run {
            request.responseData { ended.append($0.summary) }
            try? await world.simulation.sleep(nanoseconds: 3_000_000_000)
            request.cancel()
        }
        #expect(ended.values == ["requestAdaptationFailed"])
    }
}

/// A request that is answered 500 after a second and cancelled after two, while its adapter holds
/// the second attempt's completion, which it calls after five.
private struct Scene {
    let world: Simulated
    let ended = Notes<String>()
    private let kept = Notes<@Sendable (Result<URLRequest, any Error>) -> Void>()

    init() {
        world = Simulated { _, _ in .status(500) }
    }

    var parked: [LostCompletion.Place] { world.stack.parkedRequests.map(\.lost.place) }

    func run(_ result: Result<URLRequest, TestError>) throws -> [String] {
        let calls = Notes<Int>()
        let adapter = Adapter { [kept] urlRequest, _, completion in
            calls.append(1)
            guard calls.values.count > 1 else { return completion(.success(urlRequest)) }
            kept.append(completion)
        }
        let request = world.session(
            Interceptor(adapters: [adapter], retriers: [Probe(retries: 1)])
        ).request(URLRequest.test).validate()
        let simulation = world.simulation
        try world.run { [kept, ended] in
            request.responseData { ended.append("\($0.summary) at \(seconds(simulation))") }
            try? await simulation.sleep(nanoseconds: 2_000_000_000)
            request.cancel()
            try? await simulation.sleep(nanoseconds: 3_000_000_000)
            kept.values.first?(result.mapError { $0 })
        }
        return ended.values
    }
}

extension DataResponse {
    /// The error and the status: `explicitlyCancelled after 500`.
    fileprivate var summary: String {
        let label = error?.label ?? "none"
        return response.map { "\(label) after \($0.statusCode)" } ?? label
    }
}
