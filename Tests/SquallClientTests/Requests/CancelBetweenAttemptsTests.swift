import SquallHTTP
import SquallKernel
import Testing

@testable import SquallClient

@Suite("Cancellation between two attempts")
struct CancelBetweenAttemptsTests {
    static let all = CancellationTests.allBehaviours

    @Test(
        "Cancelled while its second attempt is adapted, a request hangs in 5.12 only",
        arguments: all)
    func adapting(behaviour: LibraryBehaviour) throws {
        let scene = Scene(behaviour)
        let ends = try scene.run(.success(.test))
        let hangs = behaviour.cancelledRetry == .neverCompletes
        #expect(ends == (hangs ? [] : ["explicitlyCancelled after 500 at 2.0"]))
        #expect(scene.parked == (hangs ? [.cancelledRetry] : []))
        #expect(scene.world.transport.requests.count == 1)
        try scene.world.release()
        #expect(scene.ended.values.count == 1)
    }

    @Test(
        "A request cancelled during adapting ends in 5.12 when the adapting then fails",
        arguments: all)
    func adaptingFails(behaviour: LibraryBehaviour) throws {
        let scene = Scene(behaviour)
        let ends = try scene.run(.failure(TestError()))
        let waits = behaviour.cancelledRetry == .neverCompletes
        #expect(
            ends == [
                waits
                    ? "requestAdaptationFailed after 500 at 5.0"
                    : "explicitlyCancelled after 500 at 2.0"
            ])
    }

    @Test(
        "Cancelled while its second attempt waits for a proactive refresh, a request hangs in 5.12",
        arguments: all)
    func deferred(behaviour: LibraryBehaviour) throws {
        let world = AuthenticationWorld(behaviour) { _ in 401 }
        let ended = Notes<String>()
        let request = world.world.session(world.interceptor).request(URLRequest.test).validate()
        try world.run {
            request.responseData { ended.append($0.summary) }
            await world.sleep(0.005)
            world.interceptor.credential = TestCredential(access: "b0", requiresRefresh: true)
            await world.sleep(0.05)
            request.cancel()
        }
        let hangs = behaviour.cancelledRetry == .neverCompletes
        #expect(ended.values == (hangs ? [] : ["explicitlyCancelled after 401"]))
        #expect(
            world.world.stack.parkedRequests.map(\.lost.place) == (hangs ? [.cancelledRetry] : []))
        #expect(world.tokens == ["a0"] && world.counts.refresh == 1)
    }

    @Test(
        "Cancelled during a retry that a serializer's failure asked for, a request hangs",
        arguments: all)
    func serializing(behaviour: LibraryBehaviour) throws {
        let world = Simulated(behaviour: behaviour) { _, _ in .status(200, "no number") }
        let request = world.session(Probe(retries: 9, delay: 10)).request(URLRequest.test)
        let ended = Notes<String>()
        try world.run {
            request.responseDecodable(of: Int.self) { ended.append($0.summary) }
            try? await world.simulation.sleep(nanoseconds: 3_000_000_000)
            request.cancel()
        }
        let ends = behaviour == .repaired
        #expect(ended.values == (ends ? ["serialization.decoding after 200"] : []))
        #expect(world.stack.parkedRequests.map(\.lost.place) == (ends ? [] : [.cancelledRetry]))
    }

    @Test(
        "A retrier asked about a serializer's failure may still end a cancelled request",
        arguments: all)
    func serializingEnds(behaviour: LibraryBehaviour) throws {
        let world = Simulated(behaviour: behaviour) { _, _ in .status(200, "no number") }
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
        #expect(ended.values == [behaviour == .repaired ? 2 : 5])
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

    init(_ behaviour: LibraryBehaviour) {
        world = Simulated(behaviour: behaviour) { _, _ in .status(500) }
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
