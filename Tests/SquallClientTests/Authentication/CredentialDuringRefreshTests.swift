import SquallHTTP
import Testing

@testable import SquallClient

@Suite("A credential set during a refresh")
struct CredentialDuringRefreshTests {
    @Test(
        "A credential set during a refresh and refused begins a second refresh in 5.12",
        arguments: [(LibraryBehaviour.alamofire5_9, 1), (.alamofire5_11, 1), (.alamofire5_12, 2)],
        [false, true])
    func refused(version: (LibraryBehaviour, Int), isDue: Bool) throws {
        let world = AuthenticationWorld(version.0) { $0.hasSuffix("0") ? 401 : 200 }
        let inFlight = Notes<Int>()
        try world.run {
            Task { await world.fetch() }
            await world.sleep(0.05)
            world.interceptor.credential = TestCredential(access: "b0", requiresRefresh: isDue)
            Task { await world.fetch() }
            await world.sleep(0.04)
            inFlight.append(world.counts.refresh)
        }
        #expect(inFlight.values == [version.1] && world.counts.refresh == version.1)
        #expect(world.ended.values.allSatisfy { $0.hasPrefix("200") })
        #expect(world.ended.values.count == 2)
    }

    @Test(
        "A valid credential set during a proactive refresh is used at once in 5.12",
        arguments: [
            (LibraryBehaviour.alamofire5_9, ["a1", "a1"]), (.alamofire5_11, ["a1", "a1"]),
            (.alamofire5_12, ["b0", "a1"]),
        ])
    func valid(version: LibraryBehaviour, tokens: [String]) throws {
        let world = AuthenticationWorld(version, credential: AuthenticationAdaptTests.due)
        try world.run {
            Task { await world.fetch() }
            await world.sleep(0.05)
            world.interceptor.credential = TestCredential(access: "b0")
            await world.fetch()
        }
        #expect(world.tokens == tokens && world.counts.refresh == 1)
    }

    @Test(
        "A sign-out during a proactive refresh fails requests at once in 5.12",
        arguments: [
            (LibraryBehaviour.alamofire5_9, ["200 +0", "200 +0"]),
            (.alamofire5_11, ["200 +0", "200 +0"]),
            (
                .alamofire5_12,
                ["requestAdaptationFailed.authentication.missingCredential +0", "200 +0"]
            ),
        ])
    func signedOut(version: LibraryBehaviour, ended: [String]) throws {
        let world = AuthenticationWorld(version, credential: AuthenticationAdaptTests.due)
        try world.run {
            Task { await world.fetch() }
            await world.sleep(0.05)
            world.interceptor.credential = nil
            await world.fetch()
        }
        #expect(world.ended.values == ended)
    }

    @Test(
        "A credential set again after a failed refresh makes a late refusal refresh once more",
        arguments: AuthenticationAdaptTests.versions)
    func setAgain(version: LibraryBehaviour) throws {
        let world = AuthenticationWorld(
            version, authenticator: TestAuthenticator(results: [.failure(TestError())]),
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
