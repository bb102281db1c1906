import Dispatch
import Synchronization

/// Asks a command to end after some processor time, and measures how long it takes to.
final class TimedRequest {
    private let clock: Clock
    private let timer: any DispatchSourceTimer

    /// Starts to wait; it looks every two milliseconds.
    init(to interruption: Interruption, afterMilliseconds milliseconds: Int) {
        let clock = Clock(due: ProcessUse.milliseconds + milliseconds)
        self.clock = clock
        timer = DispatchSource.makeTimerSource(queue: .global())
        timer.setEventHandler { clock.look(interruption) }
        timer.schedule(deadline: .now(), repeating: .milliseconds(2))
        timer.activate()
    }

    /// Takes the request back if it was not made yet; otherwise the processor time since then, in
    /// milliseconds.
    func end() -> Int? {
        timer.cancel()
        return clock.end()
    }

    /// What the timer and its owner both see.
    private final class Clock: Sendable {
        private let due: Int
        private let state = Mutex((isOver: false, askedAt: Int?.none))

        init(due: Int) { self.due = due }

        func look(_ interruption: Interruption) {
            let now = ProcessUse.milliseconds
            state.withLock { state in
                guard !state.isOver, now >= due else { return }
                state.isOver = true
                // What nothing waits for ends a process at once; here it may go on, and is not
                // measured.
                state.askedAt = interruption.request() ? nil : now
            }
        }

        func end() -> Int? {
            state.withLock { state in
                state.isOver = true
                return state.askedAt.map { ProcessUse.milliseconds - $0 }
            }
        }
    }
}
