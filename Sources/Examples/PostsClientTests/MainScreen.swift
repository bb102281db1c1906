import Foundation
import PostsClient
import Squall

/// Opens the main screen, which asks for posts and the profile at once, with expired tokens.
func openMainScreen(
    of service: TokenService, in world: TestWorld,
    _ store: (IssuedTokens, URL, URLSession) -> some TokenKeeping
) async throws {
    let server = world.mount(service)
    let session = URLSession(configuration: server.urlSessionConfiguration)
    let api = PostsAPI(
        base: server.url, network: session,
        tokens: store(server.expiredTokens(), server.url, session))
    async let posts = api.posts()
    async let profile = api.profile()
    _ = try await (posts, profile)
}

/// The store that refreshes for every request with an expired token.
@Sendable func ordinaryStore(
    _ tokens: IssuedTokens, _ base: URL, _ network: URLSession
) -> TokenStore {
    TokenStore(access: tokens.access, refresh: tokens.refresh, base: base, network: network)
}

/// The store that first checks whether another request has refreshed.
@Sendable func carefulStore(
    _ tokens: IssuedTokens, _ base: URL, _ network: URLSession
) -> CarefulTokenStore {
    CarefulTokenStore(access: tokens.access, refresh: tokens.refresh, base: base, network: network)
}
