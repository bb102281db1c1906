import SquallClient
import SquallHTTP

/// Share.D's retrier as built: refreshes on 419 and sends the call again at once; every call has
/// one of its own.
///
/// Its known faults, all of them kept:
/// - Every 419 refreshes on its own, also one that arrives when a new token is already stored.
/// - A failed refresh leaves the original error in place, and the library then asks again when the
///   response cannot be decoded: two refreshes for each call, three calls for each tap.
/// - The caller sees that original 419 and never the refresh's 418, so the app does not notice that
///   the session is over. It goes on with three calls a tap until the user logs out by hand.
/// - Nothing counts or delays: while new tokens get 419 a call repeats for ever.
/// - The refresh has a retrier of the same kind, so a refresh that gets 419 refreshes again.
struct ShareDInterceptor: RequestInterceptor {
    let storage: AppStorage

    /// Sets the stored token on every call, also an empty one, and on the calls that need none.
    func adapt(
        _ urlRequest: URLRequest, for session: Session,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        var urlRequest = urlRequest
        urlRequest.setValue(storage.access, forHTTPHeaderField: "Authorization")
        completion(.success(urlRequest))
    }

    func retry(
        _ request: Request, for session: Session, dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        guard request.response?.statusCode == 419 else { return completion(.doNotRetry) }
        session.request(
            AppRequest<ShareD>(.refresh, storage: storage),
            interceptor: ShareDInterceptor(storage: storage)
        )
        .validate(statusCode: ShareDAPI.acceptedStatuses)
        .responseDecodable(of: LSLPToken.self) { response in
            guard let token = response.value else { return completion(.doNotRetry) }
            storage.access = token.accessToken
            completion(.retry)
        }
    }
}
