import Testing

@testable import SquallClient

@Suite("A credential set during a refresh")
struct CredentialDuringRefreshTests {
    @Test(
        "A credential set during a refresh and refused begins a second refresh",
        arguments: [false, true])
    func refused(isDue: Bool) throws {
        let world = AuthenticationWorld { $0.hasSuffix("0") ? 401 : 200 }
        let inFlight = Notes<Int>()
        try world.run {
            Task { await world.fetch() }
            await world.sleep(0.05)
            world.interceptor.credential = TestCredential(access: "b0", requiresRefresh: isDue)
            Task { await world.fetch() }
            await world.sleep(0.04)
            inFlight.append(world.counts.refresh)
        }
        #expect(inFlight.values == [2] && world.counts.refresh == 2)
        #expect(world.ended.values.allSatisfy { $0.hasPrefix("200") })
        #expect(world.ended.values.count == 2)
    }

    @Test("A valid credential set during a proactive refresh is used at once")
    func valid() throws {
        let world = AuthenticationWorld(credential: AuthenticationAdaptTests.due)
        try world.run {
            Task { await world.fetch() }
            await world.sleep(0.05)
            world.interceptor.credential = TestCredential(access: "b0")
            await world.fetch()
        }
        #expect(world.tokens == ["b0", "a1"] && world.counts.refresh == 1)
    }

    @Test("A sign-out during a proactive refresh fails requests at once")
    func signedOut() throws {
        let world = AuthenticationWorld(credential: AuthenticationAdaptTests.due)
        try world.run {
            Task { await world.fetch() }
            await world.sleep(0.05)
            world.interceptor.credential = nil
            await world.fetch()
        }
        #expect(
            world.ended.values == [
                "requestAdaptationFailed.authentication.missingCredential +0", "200 +0",
            ])
    }

    @Test("A credential set again after a failed refresh makes a late refusal refresh once more")
    func setAgain() throws {
        let world = AuthenticationWorld(
            authenticator: TestAuthenticator(results: [.failure(TestError())]),
            late: (send: 1, seconds: 0.5)
        ) { $0 == "a0" ? 401 : 200 }
        try world.run {
            Task { await world.fetch() }
            Task { await world.fetch() }
            await world.sleep(0.2)
            world.interceptor.credential = TestCredential()
        }
        #expect(world.ended.values == ["requestRetryFailed.test +0", "200 +1"])
        #expect(world.counts.refresh == 2)
    }

    @Test("Two refreshes in flight: the one that ends first releases everybody")
    func firstReleases() throws {
        let world = AuthenticationWorld { $0.hasSuffix("0") ? 401 : 200 }
        try world.run {
            Task { await world.fetch() }
            await world.sleep(0.05)
            world.interceptor.credential = TestCredential(access: "b0")
            await world.fetch()
        }
        // The first refresh ends at 0.11 s; the second, which began at 0.06 s, at 0.16 s.
        #expect(world.tokens == ["a0", "b0", "a1", "a1"] && world.counts.refresh == 2)
    }
}
