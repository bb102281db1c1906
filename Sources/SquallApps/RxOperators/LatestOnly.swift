import Synchronization

/// RxSwift's `flatMapLatest`: a newer event discards an older one's result.
///
/// Its request is not cancelled: the apps' `Single`s are made with a disposable that does nothing.
final class LatestOnly: Sendable {
    private let newest = Mutex(0)

    /// Runs the work of an event; `nil` when a newer event came before its result.
    func value<Value: Sendable>(of work: () async -> Value) async -> Value? {
        let number = newest.withLock { newest in
            newest += 1
            return newest
        }
        let value = await work()
        return newest.withLock { $0 } == number ? value : nil
    }
}
