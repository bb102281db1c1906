import SquallHTTP
import Testing

@testable import SquallClient

@Suite("AuthenticationInterceptor, refreshes without an end")
struct LostRefreshTests {
    static let versions = AuthenticationAdaptTests.versions

    private func world(_ version: LibraryBehaviour, isDue: Bool) -> AuthenticationWorld {
        AuthenticationWorld(
            version, authenticator: TestAuthenticator(dropsCompletion: true),
            credential: TestCredential(requiresRefresh: isDue)
        ) { _ in 401 }
    }

    @Test(
        "A request that waits for a refresh with a dropped completion is reported at once",
        arguments: versions, [true, false])
    func dropped(version: LibraryBehaviour, isDue: Bool) throws {
        let world = world(version, isDue: isDue)
        try world.storm(3)
        let line = "lost \(isDue ? "adapt" : "retry") AuthenticationInterceptor<TestAuthenticator>"
        #expect(world.world.log.lines(line).count == 3 && world.ended.values.isEmpty)
        #expect(world.world.stack.parkedRequests.count == 3 && world.counts.refresh == 1)
        try world.world.release()
        #expect(world.ended.values.count == 3)
    }

    /// Before 5.12 it waits in the adapter; in 5.12 it is sent and refused first.
    @Test(
        "A request made after a refresh's completion was dropped waits and is reported as well",
        arguments: versions, [true, false])
    func later(version: LibraryBehaviour, isDue: Bool) throws {
        let world = world(version, isDue: isDue)
        try world.storm(1)
        try world.storm(1)
        let isSent = version == .alamofire5_12 && !isDue
        let place = world.world.stack.parkedRequests.map(\.lost.place)
        #expect(place.count == 2 && place.contains(isSent ? .retry : .adapt))
        #expect(world.tokens.count == (isDue ? 0 : isSent ? 2 : 1))
        try world.world.release()
    }
}
