import SquallClient
import Synchronization

/// A button behind a `throttle`.
///
/// ```swift
/// guard await loginTaps.admit() else { return .nothingToDo }
/// ```
final class ThrottledTaps: Sendable {
    private let time: any TimeSource
    private let throttle: Mutex<Throttle>

    /// A button that lets one tap pass in each window.
    init(windowSeconds: Int64, time: any TimeSource) {
        self.time = time
        throttle = Mutex(Throttle(windowNanoseconds: windowSeconds * 1_000_000_000))
    }

    /// Waits until the tap passes; `false` when a later tap took its place or the screen went away.
    func admit() async -> Bool {
        let now = time.nanosecondsSinceEpoch
        let (action, ticket) = throttle.withLock { ($0.receive(at: now), $0.ticket) }
        guard case .hold(let end) = action else { return true }
        try? await time.sleep(nanoseconds: max(0, end - now))
        return throttle.withLock { $0.release(ticket, at: end) }
    }

    /// Closes the screen, which is a new one the next time: the held tap never passes.
    func screenCloses() { throttle.withLock { $0.reset() } }
}
