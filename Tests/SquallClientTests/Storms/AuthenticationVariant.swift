import SquallHTTP

@testable import SquallClient

/// `AuthenticationInterceptor` on the session of the data, its refresh on another.
struct AuthenticationVariant: StormVariant {
    private let session: Session

    init(_ world: StormWorld) {
        self.init(world, isDue: false, refreshSession: world.session())
    }

    /// Without a session for it, the refresh goes through the session it is for.
    init(_ world: StormWorld, isDue: Bool, refreshSession: Session?) {
        let interceptor = AuthenticationInterceptor(
            authenticator: StormAuthenticator(refreshSession: refreshSession),
            credential: StormCredential(access: TokenServer.expiredToken, requiresRefresh: isDue))
        session = world.session(
            Interceptor(interceptors: [CountingInterceptor(world: world), interceptor]))
    }

    func send() async -> String {
        await session.request(URLRequest.stormData)
            .validate(statusCode: 200...299).serializingDecodable(StormItem.self).response.outcome
    }
}

/// The same with a credential that is due for a refresh.
struct ProactiveVariant: StormVariant {
    private let variant: AuthenticationVariant

    init(_ world: StormWorld) {
        variant = AuthenticationVariant(world, isDue: true, refreshSession: world.session())
    }

    func send() async -> String { await variant.send() }
}

/// The same with the refresh on the very session that the interceptor is on.
struct OwnSessionVariant: StormVariant {
    private let variant: AuthenticationVariant

    init(_ world: StormWorld) {
        variant = AuthenticationVariant(world, isDue: false, refreshSession: nil)
    }

    func send() async -> String { await variant.send() }
}

/// Both at once.
struct OwnSessionProactiveVariant: StormVariant {
    private let variant: AuthenticationVariant

    init(_ world: StormWorld) {
        variant = AuthenticationVariant(world, isDue: true, refreshSession: nil)
    }

    func send() async -> String { await variant.send() }
}

struct StormCredential: AuthenticationCredential {
    let access: String
    var requiresRefresh = false
}

struct StormAuthenticator: AsyncAuthenticator {
    let refreshSession: Session?

    func apply(_ credential: StormCredential, to urlRequest: inout URLRequest) {
        urlRequest.headers.update(name: "Authorization", value: credential.access)
    }

    func refresh(
        _ credential: StormCredential, for session: Session
    ) async throws -> StormCredential {
        let request = URLRequest.stormRefresh.carrying(
            access: credential.access, refresh: TokenServer.refreshToken)
        let refreshed = try await (refreshSession ?? session).request(request)
            .validate(statusCode: 200...299).serializingDecodable(StormRefresh.self).value
        return StormCredential(access: refreshed.accessToken)
    }

    func didRequest(
        _: URLRequest, with response: HTTPURLResponse, failDueToAuthenticationError _: any Error
    ) -> Bool {
        response.statusCode == 419
    }

    func isRequest(
        _ urlRequest: URLRequest, authenticatedWith credential: StormCredential
    ) -> Bool {
        urlRequest.headers.value(for: "Authorization") == credential.access
    }
}

/// Counts questions and answers none.
struct CountingInterceptor: AsyncRequestInterceptor {
    let world: StormWorld

    func retry(_ request: Request, dueTo error: any Error) async -> RetryResult {
        world.noteConsult()
        return .doNotRetry
    }
}
