import SquallHTTP

@testable import SquallClient

/// The reference design in the measured storms.
struct ReferenceVariant: StormVariant {
    private let session: Session

    init(_ world: StormWorld) {
        let storage = world.storage
        let tokens = TokenInterceptor(
            store: InMemoryTokenStore(
                TokenPair(access: TokenServer.expiredToken, refresh: TokenServer.refreshToken)),
            refreshSession: world.session(),
            onEvent: { if $0 == .sessionExpired { storage.report() } },
            refresh: ReferenceVariant.refresh)
        session = world.session(
            Interceptor(interceptors: [CountingInterceptor(world: world), tokens]))
    }

    func send() async -> String {
        await session.request(URLRequest.stormData)
            .validate().serializingDecodable(StormItem.self).response.outcome
    }

    /// Asks the server for new tokens; one that gives out no refresh token lets the old one stand.
    static let refresh: TokenInterceptor.Refresh = { pair, session in
        let refreshed = try await session.request(
            URLRequest.stormRefresh.carrying(access: pair.access, refresh: pair.refresh)
        ).validate().serializingDecodable(StormRefresh.self).value
        return TokenPair(
            access: refreshed.accessToken, refresh: refreshed.refreshToken ?? pair.refresh)
    }
}
