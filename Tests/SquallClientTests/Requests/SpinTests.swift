import SquallHTTP
import Testing

@testable import SquallClient

@Suite("Spinning requests")
struct SpinTests {
    @Test("A refresh that returns a credential which is already due goes round without end")
    func dueCredential() throws {
        let due = TestCredential(access: "a9", requiresRefresh: true)
        let world = AuthenticationWorld(
            authenticator: TestAuthenticator(results: Array(repeating: .success(due), count: 9))
        ) { _ in 401 }
        try world.storm(1)
        #expect(world.ended.values.isEmpty && world.counts.refresh == 5)
        #expect(world.tokens == ["a0"])
        let parked = try #require(world.world.stack.parkedRequests.first)
        #expect(parked.lost.place == .spin && parked.request == 0 && parked.user == 0)
        #expect(
            parked.lost.interceptor == "AuthenticationInterceptor<TestAuthenticator>")
    }

    @Test("A chain is named by its members, and everybody else goes on")
    func chain() throws {
        let probe = Probe(
            adapt: { urlRequest, request in
                guard request.session.user == 1 else { return urlRequest }
                throw TestError()
            }, retry: { _, _ in .retry })
        let world = Simulated()
        let ended = Notes<UInt64>()
        try world.run {
            for user: UInt64 in 1...2 {
                let session = world.session(
                    Interceptor(interceptors: [probe, RetryPolicy()]), user: user)
                session.request(URLRequest.test).response { _ in ended.append(user) }
            }
        }
        #expect(ended.values == [2] && probe.adapts < 2_100)
        #expect(world.log.lines("lost") == ["lost spin Probe, RetryPolicy of 0"])
        try world.release()
        #expect(ended.values == [2, 1])
    }

    @Test("3,000 attempts are no spin as long as time passes", arguments: [0.001, 1])
    func patient(delay: Double) throws {
        let world = Simulated(latency: 0) { _, _ in .status(500) }
        let request = world.session(Probe(retries: 3_000, delay: delay)).request(URLRequest.test)
        try world.run(seconds: 10_000) {
            _ = await request.validate().serializingResponse().response
        }
        #expect(request.isFinished && request.retryCount == 3_000)
    }
}
