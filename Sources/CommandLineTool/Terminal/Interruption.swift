import Dispatch
import Foundation
import Synchronization

/// Whether somebody asked the process to stop.
///
/// The first Ctrl-C is a request that a run notices at its next progress report, so that it can
/// write what it has. The second ends the process at once.
final class Interruption: Sendable {
    private let requests = Atomic<Int>(0)
    private let cleanup = Mutex<(@Sendable () -> Void)?>(nil)

    var isRequested: Bool { requests.load(ordering: .relaxed) > 0 }

    /// Asks to stop; says whether it had been asked before.
    @discardableResult
    func request() -> Bool {
        requests.add(1, ordering: .relaxed).oldValue > 0
    }

    /// Sets what is done before the process ends at once; it must not take long.
    func beforeEnding(_ action: (@Sendable () -> Void)?) {
        cleanup.withLock { $0 = action }
    }

    /// Listens for Ctrl-C as long as the returned source lives.
    func listening() -> any DispatchSourceSignal {
        signal(SIGINT, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        source.setEventHandler { [self] in
            guard request() else { return }
            cleanup.withLock { $0?() }
            _exit(ExitCode.interrupted.rawValue)
        }
        source.resume()
        return source
    }
}
