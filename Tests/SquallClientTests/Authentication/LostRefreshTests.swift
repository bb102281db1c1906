import Testing

@testable import SquallClient

@Suite("AuthenticationInterceptor, refreshes without an end")
struct LostRefreshTests {
    private func world(isDue: Bool) -> AuthenticationWorld {
        AuthenticationWorld(
            authenticator: TestAuthenticator(dropsCompletion: true),
            credential: TestCredential(requiresRefresh: isDue)
        ) { _ in 401 }
    }

    @Test(
        "A request that waits for a refresh with a dropped completion is reported at once",
        arguments: [true, false])
    func dropped(isDue: Bool) throws {
        let world = world(isDue: isDue)
        try world.storm(3)
        let line = "lost \(isDue ? "adapt" : "retry") AuthenticationInterceptor<TestAuthenticator>"
        #expect(world.world.log.lines(line).count == 3 && world.ended.values.isEmpty)
        #expect(world.world.stack.parkedRequests.count == 3 && world.counts.refresh == 1)
        try world.world.release()
        #expect(world.ended.values.count == 3)
    }

    /// Unless the credential is due, it is sent and refused first.
    @Test(
        "A request made after a refresh's completion was dropped waits and is reported as well",
        arguments: [true, false])
    func later(isDue: Bool) throws {
        let world = world(isDue: isDue)
        try world.storm(1)
        try world.storm(1)
        let place = world.world.stack.parkedRequests.map(\.lost.place)
        #expect(place.count == 2 && place.contains(isDue ? .adapt : .retry))
        #expect(world.tokens.count == (isDue ? 0 : 2))
        try world.world.release()
    }
}
