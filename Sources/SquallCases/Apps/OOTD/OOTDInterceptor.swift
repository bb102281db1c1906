import SquallClient
import SquallHTTP

/// OOTD's interceptor as built: puts the tokens in, and on 419 refreshes on the main queue.
///
/// Its known faults, all of them kept:
/// - A call that needs tokens while one of the two items is missing leaves `adapt` without calling
///   `completion`: it never starts and never ends. Items are missing on a fresh device, after a
///   logout, and for the moment in which one is written.
/// - The e-mail check should need none, but its whole path is compared with a shorter one: on a
///   fresh device it never ends.
/// - Every 419 refreshes on its own; a late one refreshes a token that is still valid, which the
///   2023 server refuses with 409, and so a call fails that only had to be sent again.
/// - Nothing counts or delays, and the refresh passes through this interceptor itself.
/// - A refresh whose 200 does not decode emits nothing: the waiting call never ends.
struct OOTDInterceptor: RequestInterceptor {
    static let openPaths = ["/join", "/login", "/validation"]

    let keychain: OOTDKeychain

    func adapt(
        _ urlRequest: URLRequest, for session: Session,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        guard urlRequest.url.origin == LSLP.origin2023,
            !Self.openPaths.contains(urlRequest.url.path)
        else { return completion(.success(urlRequest)) }
        guard let token = keychain.read(.token), let refreshToken = keychain.read(.refreshToken)
        else { return }
        var urlRequest = urlRequest
        urlRequest.setValue(token, forHTTPHeaderField: "Authorization")
        if urlRequest.url.path == AppCall<OOTD>.refresh.path {
            urlRequest.setValue(refreshToken, forHTTPHeaderField: "Refresh")
        }
        completion(.success(urlRequest))
    }

    func retry(
        _ request: Request, for session: Session, dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        guard request.response?.statusCode == 419 else { return completion(.doNotRetry) }
        let api = OOTDAPI(session: session)
        Task { @MainActor in
            switch await api.single(.refresh, as: OOTDToken.self) {
            case .success(let refreshed):
                await keychain.write(refreshed.token, to: .token)
                completion(.retry)
            case .failure(let error): completion(.doNotRetryWithError(error))
            case .nothing: break
            }
        }
    }
}
