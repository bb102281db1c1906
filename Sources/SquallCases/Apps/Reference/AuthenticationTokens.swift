import SquallClient
import SquallHTTP
import Synchronization

/// The design that Alamofire's manual recommends: its `AuthenticationInterceptor` with an
/// authenticator for the apps' backend.
///
/// As on the reference, nothing is refreshed before the server refuses it. The rest is the
/// library's behaviour: at most five refreshes in thirty seconds, whatever their results, and
/// requests are sent with the old token while a refresh is under way.
final class AuthenticationTokens: TokenKeeper, AsyncRequestInterceptor {
    private let store: any TokenStore
    private let interceptor: AuthenticationInterceptor<LSLPAuthenticator>
    private let hasRead = Atomic<Bool>(false)

    /// Tokens that are kept in `store` and refreshed through `open`.
    init(
        store: any TokenStore, open: Session, refresh: LSLPRefresh,
        onExpiry: @escaping @Sendable () -> Void
    ) {
        self.store = store
        interceptor = AuthenticationInterceptor(
            authenticator: LSLPAuthenticator(
                store: store, open: open, refresh: refresh, onExpiry: onExpiry))
    }

    func signIn(_ pair: TokenPair) {
        hasRead.store(true, ordering: .relaxed)
        interceptor.credential = LSLPCredential(pair: pair)
        Task { [store] in await store.write(pair) }
    }

    func signOut() {
        hasRead.store(true, ordering: .relaxed)
        interceptor.credential = nil
        Task { [store] in await store.erase() }
    }

    func adapt(_ urlRequest: URLRequest, of request: Request) async throws -> URLRequest {
        if !hasRead.load(ordering: .relaxed) { await read() }
        return try await interceptor.adapt(urlRequest, of: request)
    }

    /// Leaves it to the library; an expired session has no token any more.
    func retry(_ request: Request, dueTo error: any Error) async -> RetryResult {
        let result = await interceptor.retry(request, dueTo: error)
        if case .sessionExpired? = result.error as? TokenError { interceptor.credential = nil }
        return result
    }

    /// Uses the tokens of an earlier sign-in, unless another call was faster.
    private func read() async {
        let pair = await store.read()
        guard !hasRead.exchange(true, ordering: .relaxed) else { return }
        interceptor.credential = pair.map(LSLPCredential.init)
    }
}

/// The rules of the apps' backend, for the library.
private struct LSLPAuthenticator: AsyncAuthenticator {
    let store: any TokenStore
    let open: Session
    let refresh: LSLPRefresh
    let onExpiry: @Sendable () -> Void

    func apply(_ credential: LSLPCredential, to urlRequest: inout URLRequest) {
        urlRequest.headers.update(name: "Authorization", value: credential.pair.access)
    }

    func refresh(
        _ credential: LSLPCredential, for session: Session
    ) async throws -> LSLPCredential {
        do {
            let pair = try await refresh.newPair(for: credential.pair, through: open)
            await store.write(pair)
            return LSLPCredential(pair: pair)
        } catch {
            guard TokenRules().isRejection(error) else { throw TokenError.refreshFailed(error) }
            await store.erase()
            onExpiry()
            throw TokenError.sessionExpired
        }
    }

    func didRequest(
        _ urlRequest: URLRequest, with response: HTTPURLResponse,
        failDueToAuthenticationError error: any Error
    ) -> Bool {
        response.statusCode == 419
    }

    func isRequest(_ urlRequest: URLRequest, authenticatedWith credential: LSLPCredential) -> Bool {
        urlRequest.headers.value(for: "Authorization") == credential.pair.access
    }
}

/// Both tokens; never due by themselves, because only the server tells when one has expired.
private struct LSLPCredential: AuthenticationCredential {
    let pair: TokenPair

    var requiresRefresh: Bool { false }
}
