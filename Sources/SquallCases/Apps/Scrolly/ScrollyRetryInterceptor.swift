import SquallClient
import SquallHTTP

/// Scrolly's retrier as built: refreshes on 419, and sends the call again a second later.
///
/// Its known faults, all of them measured and kept:
/// - Every 419 refreshes on its own. N parallel calls on an expired token mean N refreshes, and a
///   late 419 refreshes again although a new token is already stored.
/// - The refresh goes through the same session, so a refresh with 419 as response refreshes again,
///   without end.
/// - After the second retry a successful refresh returns without calling `completion`: the call
///   never ends. The intended limit was 3, in a constant that is never read; the inherited one is
///   2.
/// - Any failed refresh, also a lost connection, counts as the end of the session.
final class ScrollyRetryInterceptor: RetryPolicy, @unchecked Sendable {
    // Safe because everything it holds is immutable.

    private let storage: AppStorage
    private let scene: ScrollyScene

    init(storage: AppStorage, scene: ScrollyScene) {
        self.storage = storage
        self.scene = scene
        super.init()
    }

    override func retry(
        _ request: Request, for session: Session, dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        guard request.response?.statusCode == 419 else { return completion(.doNotRetry) }
        session.request(AppRequest<Scrolly>(.refresh, storage: storage))
            .validate(statusCode: ScrollyAPI.acceptedStatuses)
            .responseDecodable(of: LSLPToken.self) { [self] response in
                guard case .success(let refreshed) = response.result else {
                    scene.sessionExpired()
                    return completion(.doNotRetry)
                }
                storage.access = refreshed.accessToken
                if request.retryCount < retryLimit { completion(.retryWithDelay(1)) }
            }
    }
}
