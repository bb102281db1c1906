import Testing

@testable import SquallClient

@Suite("AuthenticationInterceptor, adapting")
struct AuthenticationAdaptTests {
    static let due = TestCredential(requiresRefresh: true)

    @Test("A request is adapted with the credential")
    func applies() throws {
        let world = AuthenticationWorld()
        try world.storm(1)
        #expect(world.tokens == ["a0"] && world.ended.values == ["200 +0"])
        #expect(world.counts == .init(apply: 1, refresh: 0))
    }

    @Test("A request that arrives during a proactive refresh waits for it")
    func waits() throws {
        let world = AuthenticationWorld(credential: Self.due)
        try world.run {
            Task { await world.fetch() }
            await world.sleep(0.05)
            await world.fetch()
        }
        #expect(world.tokens == ["a1", "a1"] && world.world.seconds == 0.11)
        #expect(world.counts == .init(apply: 2, refresh: 1))
    }

    @Test("All requests that arrive during a proactive refresh wait for it")
    func severalWait() throws {
        let world = AuthenticationWorld(credential: Self.due)
        try world.storm(6)
        #expect(world.tokens == Array(repeating: "a1", count: 6))
        #expect(world.counts == .init(apply: 6, refresh: 1))
    }

    @Test("Without a credential a request fails before it is sent")
    func missing() throws {
        let world = AuthenticationWorld(credential: nil)
        try world.storm(1)
        #expect(
            world.ended.values == ["requestAdaptationFailed.authentication.missingCredential +0"])
        #expect(world.counts == .init() && world.tokens.isEmpty)
    }

    @Test("A request fails before it is sent once the credential was removed")
    func removed() throws {
        let world = AuthenticationWorld()
        world.interceptor.credential = nil
        try world.storm(1)
        #expect(
            world.ended.values == ["requestAdaptationFailed.authentication.missingCredential +0"])
    }

    @Test(
        "A proactive refresh's error fails everybody who waited for it",
        arguments: [1, 5])
    func refreshError(count: Int) throws {
        let world = AuthenticationWorld(
            authenticator: TestAuthenticator(results: [.failure(TestError())]),
            credential: Self.due)
        try world.storm(count)
        #expect(
            world.ended.values
                == Array(repeating: "requestAdaptationFailed.test +0", count: count))
        #expect(world.counts == .init(apply: 0, refresh: 1))
    }

    @Test("A proactive refresh that would be one too many fails the request")
    func excessive() throws {
        let world = AuthenticationWorld(
            credential: Self.due, window: RefreshWindow(maximumAttempts: 0))
        try world.storm(1)
        #expect(
            world.ended.values == ["requestAdaptationFailed.authentication.excessiveRefresh +0"])
        #expect(world.counts == .init())
    }

    @Test("A refresh that brings a due credential fails every waiting request as excessive")
    func excessiveOnReplay() throws {
        let world = AuthenticationWorld(
            authenticator: TestAuthenticator(results: [.success(Self.due)]),
            credential: Self.due, window: RefreshWindow(maximumAttempts: 1))
        try world.storm(3)
        let failure = "requestAdaptationFailed.authentication.excessiveRefresh +0"
        #expect(world.ended.values == [failure, failure, failure])
        #expect(world.counts == .init(apply: 0, refresh: 1))
    }

    @Test("A refresh that ends before its call returns is in order")
    func synchronous() throws {
        let world = AuthenticationWorld(
            authenticator: TestAuthenticator(seconds: nil), credential: Self.due)
        try world.storm(2)
        #expect(world.tokens == ["a1", "a1"] && world.counts == .init(apply: 2, refresh: 1))
    }

    @Test("A request during a refresh that a failure began goes out as it is")
    func duringReactive() throws {
        let world = AuthenticationWorld { $0 == "a0" ? 401 : 200 }
        try world.run {
            Task { await world.fetch() }
            await world.sleep(0.05)
            await world.fetch()
        }
        #expect(world.tokens == ["a0", "a0", "a1", "a1"] && world.counts.refresh == 1)
        #expect(world.ended.values == ["200 +1", "200 +1"])
    }

    @Test("After a failed proactive refresh the next one can begin")
    func proactiveAfterFailure() throws {
        let world = AuthenticationWorld(
            authenticator: TestAuthenticator(results: [.failure(TestError())]),
            credential: Self.due)
        for _ in 0..<2 { try world.storm(1) }
        #expect(world.ended.values == ["requestAdaptationFailed.test +0", "200 +0"])
        #expect(world.tokens == ["a2"] && world.counts == .init(apply: 1, refresh: 2))
    }

    @Test("A credential set after a failed proactive refresh is used at once")
    func updateAfterFailure() throws {
        let world = AuthenticationWorld(
            authenticator: TestAuthenticator(results: [.failure(TestError())]),
            credential: Self.due)
        try world.storm(1)
        world.interceptor.credential = TestCredential(access: "b0")
        try world.storm(1)
        #expect(world.tokens == ["b0"] && world.counts == .init(apply: 1, refresh: 1))
    }

    @Test("A request that waited for a proactive refresh and is refused refreshes once more")
    func refusedAfterProactive() throws {
        let world = AuthenticationWorld(credential: Self.due) { $0 == "a1" ? 401 : 200 }
        try world.storm(1)
        #expect(world.tokens == ["a1", "a2"] && world.ended.values == ["200 +1"])
        #expect(world.counts == .init(apply: 2, refresh: 2, didRequest: 1, isRequest: 1))
    }
}
