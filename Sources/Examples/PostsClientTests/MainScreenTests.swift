import Foundation
import PostsClient
import Squall
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The server of the tests: a profile takes longer to find than posts do.
private let service = TokenService(
    .bearer, accessLifetime: .seconds(300), refresh: .rotatingStrict,
    routes: [
        .get("/posts", json: #"[{"id": 1, "title": "First"}]"#),
        .get("/profile", json: #"{"nick": "Kim"}"#).costing(.milliseconds(200)),
    ])

private func openMainScreen<Store: TokenKeeping>(
    seed: UInt64, _ store: @escaping @Sendable (IssuedTokens, URL, URLSession) -> Store
) throws -> WorldRun {
    try simulate(seed: seed) { world in
        let far = world.mount(service)
        let session = URLSession(configuration: far.urlSessionConfiguration)
        let api = PostsAPI(
            base: far.url, network: session, tokens: store(far.expiredTokens(), far.url, session))
        async let posts = api.posts()
        async let profile = api.profile()
        _ = try await (posts, profile)
    }
}

@Suite("The main screen of an ordinary client")
struct MainScreenTests {
    @Test("Who is told late that the token has expired refreshes again: the race of TokenStore")
    func race() throws {
        let run = try openMainScreen(seed: 1) {
            TokenStore(access: $0.access, refresh: $0.refresh, base: $1, network: $2)
        }
        #expect(run.refreshes == 2)
        #expect(run.redundantRefreshes == 1)
        #expect("\(run)".hasPrefix("race: 1 refresh of a token that had been refreshed already"))
        #expect(run.expired == 2)
    }

    @Test("A store that looks again refreshes once", arguments: UInt64(1)...10)
    func careful(seed: UInt64) throws {
        let run = try openMainScreen(seed: seed) {
            CarefulTokenStore(access: $0.access, refresh: $0.refresh, base: $1, network: $2)
        }
        #expect(run.refreshes == 1)
        #expect(run.redundantRefreshes == 0)
        #expect(run.hangs.isEmpty)
    }
}
