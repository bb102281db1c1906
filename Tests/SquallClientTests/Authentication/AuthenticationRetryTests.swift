import SquallHTTP
import Synchronization
import Testing

@testable import SquallClient

@Suite("AuthenticationInterceptor, retrying")
struct AuthenticationRetryTests {
    static let excessive = "requestRetryFailed.authentication.excessiveRefresh"

    @Test("A request of a refresh's task, sent after the refresh ended, is refreshed like others")
    func afterRefresh() throws {
        let uses = Mutex(0)
        let world = AuthenticationWorld { token in
            // The token of the first refresh is good once.
            if token == "a1" {
                return uses.withLock { count in
                    count += 1
                    return count == 1 ? 200 : 401
                }
            }
            return token == "a2" ? 200 : 401
        }
        world.authenticator.afterwards.withLock { next in
            next = {
                await world.sleep(1)
                await world.fetch()
            }
        }
        try world.storm(1)
        #expect(world.ended.values == ["200 +1", "200 +1"])
        #expect(world.tokens == ["a0", "a1", "a1", "a2"])
    }

    @Test(
        "A failure other than authentication causes no refresh", arguments: [403, 500])
    func otherFailure(status: Int) throws {
        let world = AuthenticationWorld { _ in status }
        try world.storm(1)
        #expect(world.ended.values == ["validation.status +0"])
        #expect(world.counts == .init(apply: 1, didRequest: 1))
    }

    @Test("No refresh follows an attempt without a response")
    func noAnswer() async throws {
        let authenticator = TestAuthenticator()
        let interceptor = AuthenticationInterceptor(
            authenticator: authenticator, credential: TestCredential())
        let stack = Stack(
            FakeTransport(results: [.failure(TransportError(.timedOut))]))
        let response = await stack.get(interceptor).validate().serializingData().response
        #expect(response.error?.label == "transport.timedOut")
        #expect(authenticator.counts == .init(apply: 1))
    }

    @Test("A refused request whose credential was taken away fails")
    func missing() throws {
        let world = AuthenticationWorld { _ in 401 }
        try world.run {
            Task { await world.fetch() }
            await world.sleep(0.005)
            world.interceptor.credential = nil
        }
        #expect(
            world.ended.values == ["requestRetryFailed.authentication.missingCredential +0"])
    }

    @Test("A refused request with an outdated credential is sent again without a refresh")
    func outdated() throws {
        let world = AuthenticationWorld { $0 == "a0" ? 401 : 200 }
        try world.run {
            Task { await world.fetch() }
            await world.sleep(0.005)
            world.interceptor.credential = TestCredential(access: "b0")
        }
        #expect(world.tokens == ["a0", "b0"] && world.ended.values == ["200 +1"])
        #expect(world.counts == .init(apply: 2, refresh: 0, didRequest: 1, isRequest: 1))
    }

    @Test(
        "A refused request is sent again after a refresh, however long that takes",
        arguments: [nil, 0.1, 60])
    func refreshed(seconds: Double?) throws {
        let world = AuthenticationWorld(
            authenticator: TestAuthenticator(seconds: seconds)
        ) { $0 == "a0" ? 401 : 200 }
        try world.storm(1)
        #expect(world.tokens == ["a0", "a1"] && world.ended.values == ["200 +1"])
        #expect(world.counts == .init(apply: 2, refresh: 1, didRequest: 1, isRequest: 1))
    }

    @Test(
        "A refresh's error fails everybody who waited to be sent again",
        arguments: [1, 3])
    func refreshError(count: Int) throws {
        let world = AuthenticationWorld(
            authenticator: TestAuthenticator(results: [.failure(TestError())])
        ) { $0 == "a0" ? 401 : 200 }
        try world.storm(count)
        #expect(
            world.ended.values == Array(repeating: "requestRetryFailed.test +0", count: count))
        #expect(world.counts.refresh == 1)
    }

    @Test("Six requests refused together refresh once")
    func sixParallel() throws {
        let world = AuthenticationWorld { $0 == "a0" ? 401 : 200 }
        try world.storm(6)
        #expect(world.ended.values == Array(repeating: "200 +1", count: 6))
        #expect(world.counts == .init(apply: 12, refresh: 1, didRequest: 6, isRequest: 6))
    }

    @Test(
        "Refreshing more often than the window allows fails all who are refused",
        arguments: [1, 4])
    func excessive(count: Int) throws {
        let world = AuthenticationWorld(window: RefreshWindow(maximumAttempts: 2)) { _ in
            401
        }
        try world.storm(count)
        #expect(
            world.ended.values == Array(repeating: "\(Self.excessive) +2", count: count))
        #expect(world.counts.apply == 3 * count && world.counts.refresh == 2)
    }

    @Test("A window without attempts never refreshes")
    func noAttempts() throws {
        let world = AuthenticationWorld(window: RefreshWindow(maximumAttempts: 0)) { _ in
            401
        }
        try world.storm(1)
        #expect(world.ended.values == ["\(Self.excessive) +0"] && world.counts.refresh == 0)
    }

    @Test("Without a window any number of refreshes may follow each other")
    func noWindow() throws {
        let world = AuthenticationWorld(window: nil) { $0 == "a8" ? 200 : 401 }
        try world.storm(1)
        #expect(world.ended.values == ["200 +8"] && world.counts.refresh == 8)
    }

    @Test(
        "A refresh counts against the window until it is older than the interval",
        arguments: [29.9, 30.2])
    func windowMoves(later: Double) throws {
        let world = AuthenticationWorld(window: RefreshWindow(maximumAttempts: 1)) {
            $0 == "a1" || $0 == "a2" ? 200 : 401
        }
        try world.run {
            await world.fetch()
            await world.sleep(later - 0.12)
            world.interceptor.credential = TestCredential(access: "b0")
            await world.fetch()
        }
        #expect(world.ended.values == ["200 +1", later < 30 ? "\(Self.excessive) +0" : "200 +1"])
    }

    @Test("One refresh cycle can follow another")
    func cycles() throws {
        let expired = Notes<String>()
        let world = AuthenticationWorld { expired.values.contains($0) ? 401 : 200 }
        for cycle in 0..<4 {
            expired.append("a\(cycle)")
            try world.storm(2)
        }
        #expect(world.ended.values == Array(repeating: "200 +1", count: 8))
        #expect(world.counts.refresh == 4)
    }

    @Test("A credential set after a failed refresh can be refreshed")
    func updateAfterFailure() throws {
        let world = AuthenticationWorld(
            authenticator: TestAuthenticator(results: [.failure(TestError())])
        ) { $0 == "a2" ? 200 : 401 }
        try world.storm(1)
        world.interceptor.credential = TestCredential(access: "b0")
        try world.storm(1)
        #expect(world.ended.values == ["requestRetryFailed.test +0", "200 +1"])
        #expect(world.tokens == ["a0", "b0", "a2"] && world.counts.refresh == 2)
    }

    @Test("A new request can refresh after a failed refresh")
    func refreshAfterFailure() throws {
        let world = AuthenticationWorld(
            authenticator: TestAuthenticator(results: [.failure(TestError())])
        ) { $0 == "a2" ? 200 : 401 }
        for _ in 0..<2 { try world.storm(1) }
        #expect(world.ended.values == ["requestRetryFailed.test +0", "200 +1"])
        #expect(world.counts.refresh == 2)
    }

    @Test("A failed refresh counts against the window")
    func failureCounts() throws {
        let world = AuthenticationWorld(
            authenticator: TestAuthenticator(results: [.failure(TestError())]),
            window: RefreshWindow(maximumAttempts: 1)
        ) { _ in 401 }
        for _ in 0..<2 { try world.storm(1) }
        #expect(
            world.ended.values == ["requestRetryFailed.test +0", "\(Self.excessive) +0"])
        #expect(world.counts.refresh == 1)
    }

    @Test("The second question about a failed refresh gets its answer")
    func secondQuestion() throws {
        let world = AuthenticationWorld(
            authenticator: TestAuthenticator(
                results: Array(repeating: .failure(TestError()), count: 2))
        ) { _ in 401 }
        try world.run {
            let request = world.world.session(world.interceptor).request(URLRequest.test)
            _ = await request.validate().serializingData().response
        }
        #expect(world.counts.refresh == 1)
    }
}
