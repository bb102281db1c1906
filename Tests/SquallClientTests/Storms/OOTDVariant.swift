import SquallHTTP

@testable import SquallClient

/// OOTD's interceptor: on the session, its refresh too, begun from the main queue, without limit.
struct OOTDVariant: StormVariant {
    private let session: Session

    init(_ world: StormWorld) { session = world.session(OOTDInterceptor(world: world)) }

    func send() async -> String {
        await session.request(URLRequest.stormData)
            .validate(statusCode: 200...299).serializingDecodable(StormItem.self).response.outcome
    }
}

struct OOTDInterceptor: RequestInterceptor {
    let world: StormWorld

    func adapt(
        _ urlRequest: URLRequest, for session: Session,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        let storage = world.storage
        // Without a token it leaves without a word, and the request hangs.
        guard !storage.access.isEmpty else { return }
        completion(.success(urlRequest.carrying(access: storage.access, refresh: storage.refresh)))
    }

    func retry(
        _ request: Request, for session: Session, dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        world.noteConsult()
        guard request.response?.statusCode == 419 else { return completion(.doNotRetry) }
        Task { @MainActor in
            session.request(URLRequest.stormRefresh).validate(statusCode: 200...299)
                .responseDecodable(of: StormRefresh.self) { response in
                    guard case .success(let refreshed) = response.result else {
                        return completion(.doNotRetry)
                    }
                    world.storage.store(refreshed)
                    completion(.retry)
                }
        }
    }
}
