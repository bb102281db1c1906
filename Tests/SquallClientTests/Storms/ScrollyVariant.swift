import SquallHTTP

@testable import SquallClient

/// Scrolly's retrier: on the session, so that its refresh goes through it as well.
///
/// 419 counts as valid, so that only a decoding failure asks it; the token is read whenever the
/// request is built. After the second retry it forgets to call its completion.
struct ScrollyVariant: StormVariant {
    let session: Session
    let storage: TokenStorage

    init(_ world: StormWorld) {
        session = world.session(ScrollyStormInterceptor(world: world))
        storage = world.storage
    }

    var request: DataRequest {
        session.request(StoredTokenRequest(base: .stormData, storage: storage))
            .validate(statusCode: 200...445)
    }

    func send() async -> String {
        await request.serializingDecodable(StormItem.self).response.outcome
    }
}

/// The same for answers that are taken as they are.
struct ScrollyDataVariant: StormVariant {
    private let variant: ScrollyVariant

    init(_ world: StormWorld) { variant = ScrollyVariant(world) }

    func send() async -> String { await variant.request.serializingData().response.outcome }
}

/// A router that reads the token when the request is built.
struct StoredTokenRequest: URLRequestConvertible {
    let base: URLRequest
    let storage: TokenStorage

    func asURLRequest() -> URLRequest {
        base.carrying(access: storage.access, refresh: storage.refresh)
    }
}

final class ScrollyStormInterceptor: RetryPolicy, @unchecked Sendable {
    // Safe because it adds nothing that changes.

    private let world: StormWorld

    init(world: StormWorld) {
        self.world = world
        super.init()
    }

    override func retry(
        _ request: Request, for session: Session, dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        world.noteConsult()
        guard request.response?.statusCode == 419 else { return completion(.doNotRetry) }
        let (storage, delay) = (world.storage, world.delay)
        session.request(StoredTokenRequest(base: .stormRefresh, storage: storage))
            .validate(statusCode: 200...445)
            .responseDecodable(of: StormRefresh.self) { [self] response in
                guard case .success(let refreshed) = response.result else {
                    storage.report()
                    return completion(.doNotRetry)
                }
                storage.store(refreshed)
                if request.retryCount < retryLimit { completion(.retryWithDelay(delay)) }
            }
    }
}
