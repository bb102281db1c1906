import SquallClient
import SquallHTTP

/// 이책저책's interceptor as built: refreshes on 419 and sends the call again at once.
///
/// Its known faults, all of them kept:
/// - Every 419 refreshes on its own, also one that arrives when a new token is already stored.
/// - Nothing counts or delays: while new tokens get 419 a call repeats for ever.
/// - The refresh passes through the interceptor, so a refresh that gets 419 refreshes again.
/// - Any response to the refresh but 200 counts as an expired refresh token and wipes the storage:
///   one 429 or 500 ends the session. A refresh beside it that succeeds later then stores an access
///   token beside an empty refresh token and an empty user.
/// - A refresh without a response, or with a 200 that does not decode, returns without calling
///   `completion`: the call never ends.
struct ThisBookAuthInterceptor: RequestInterceptor {
    let storage: AppStorage

    /// Sets the stored token on every call, even where there is none yet.
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
        session.request(AppRequest<ThisBookThatBook>(.refresh, storage: storage))
            .responseDecodable(of: LSLPToken.self) { response in
                guard let status = response.response?.statusCode else { return }
                guard status == 200 else {
                    storage.wipe()
                    return completion(.doNotRetryWithError(ThisBookError.expiredToken))
                }
                guard let token = response.value else { return }
                storage.access = token.accessToken
                completion(.retry)
            }
    }
}
