import SquallHTTP

@testable import SquallClient

/// The usual interceptor of a first app: each 419 refreshes, and any failure signs out.
///
/// Header set while adapting, an interceptor for each request, no gate and no limit.
struct SeedVariant: StormVariant {
    let session: Session
    let interceptor: SeedInterceptor

    init(_ world: StormWorld) {
        self.init(world, session: world.session(), refreshSession: world.session())
    }

    init(_ world: StormWorld, session: Session, refreshSession: Session) {
        self.session = session
        interceptor = SeedInterceptor(world: world, refreshSession: refreshSession)
    }

    func send() async -> String {
        await session.request(URLRequest.stormData, interceptor: interceptor)
            .validate(statusCode: 200...299).serializingDecodable(StormItem.self).response.outcome
    }
}

/// The same with the refresh on the session of the data.
struct SeedSharedVariant: StormVariant {
    private let variant: SeedVariant

    init(_ world: StormWorld) {
        let session = world.session()
        variant = SeedVariant(world, session: session, refreshSession: session)
    }

    func send() async -> String { await variant.send() }
}

struct SeedInterceptor: RequestInterceptor {
    let world: StormWorld
    let refreshSession: Session

    func adapt(
        _ urlRequest: URLRequest, for session: Session,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        completion(.success(urlRequest.carrying(access: world.storage.access)))
    }

    func retry(
        _ request: Request, for session: Session, dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        world.noteConsult()
        guard request.response?.statusCode == 419 else { return completion(.doNotRetry) }
        let storage = world.storage
        refreshSession.request(
            URLRequest.stormRefresh.carrying(access: storage.access, refresh: storage.refresh)
        ).validate(statusCode: 200...299).responseDecodable(of: StormRefresh.self) { response in
            switch response.result {
            case .success(let refreshed):
                storage.store(refreshed)
                completion(.retry)
            case .failure(let error):
                storage.wipe()
                completion(.doNotRetryWithError(error))
            }
        }
    }
}
