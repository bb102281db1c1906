import SquallHTTP
import Synchronization

@testable import SquallClient

/// The usual repair: one refresh at a time, and whoever comes meanwhile waits for it.
///
/// What it lacks is a look at the token that the refused request carried: once the gate is open
/// again, a late refusal of the old token begins another refresh.
struct GatedVariant: StormVariant {
    private let session: Session

    init(_ world: StormWorld) {
        session = world.session(
            GatedInterceptor(
                storage: world.storage, refreshSession: world.session(),
                noteConsult: world.noteConsult))
    }

    func send() async -> String {
        await session.request(URLRequest.stormData)
            .validate(statusCode: 200...299).serializingDecodable(StormItem.self).response.outcome
    }
}

final class GatedInterceptor: RequestInterceptor {
    private struct Gate {
        var isRefreshing = false
        var waiting: [@Sendable (RetryResult) -> Void] = []
    }

    private let storage: TokenStorage
    private let refreshSession: Session
    private let noteConsult: @Sendable () -> Void
    private let gate = Mutex(Gate())

    init(
        storage: TokenStorage, refreshSession: Session, noteConsult: @escaping @Sendable () -> Void
    ) {
        self.storage = storage
        self.refreshSession = refreshSession
        self.noteConsult = noteConsult
    }

    func adapt(
        _ urlRequest: URLRequest, for session: Session,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        completion(.success(urlRequest.carrying(access: storage.access)))
    }

    func retry(
        _ request: Request, for session: Session, dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        noteConsult()
        guard request.response?.statusCode == 419 else { return completion(.doNotRetry) }
        let isFirst = gate.withLock { gate in
            gate.waiting.append(completion)
            defer { gate.isRefreshing = true }
            return !gate.isRefreshing
        }
        if isFirst { refresh() }
    }

    private func refresh() {
        refreshSession.request(
            URLRequest.stormRefresh.carrying(access: storage.access, refresh: storage.refresh)
        ).validate(statusCode: 200...299).responseDecodable(of: StormRefresh.self) { [self] in
            switch $0.result {
            case .success(let refreshed):
                storage.store(refreshed)
                open(.retry)
            case .failure(let error): open(.doNotRetryWithError(error))
            }
        }
    }

    private func open(_ result: RetryResult) {
        let waiting = gate.withLock { gate in
            defer { gate = Gate() }
            return gate.waiting
        }
        for completion in waiting { completion(result) }
    }
}
