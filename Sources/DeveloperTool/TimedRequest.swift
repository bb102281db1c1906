import CommandLineTool
import Dispatch
import Synchronization

/// Asks a command to end after some processor time, and measures how long that takes.
final class TimedRequest {
    private let clock: Clock
    private let timer: any DispatchSourceTimer

    /// Starts waiting; checks every two milliseconds.
    init(to interruption: Interruption, afterMilliseconds milliseconds: Int) {
        let clock = Clock(due: ProcessUse.milliseconds + milliseconds)
        self.clock = clock
        timer = DispatchSource.makeTimerSource(queue: .global())
        timer.setEventHandler { clock.look(interruption) }
        timer.schedule(deadline: .now(), repeating: .milliseconds(2))
        timer.activate()
    }

    /// Cancels the request if it was not made yet; otherwise returns the processor time since then,
    /// in milliseconds.
    func end() -> Int? {
        timer.cancel()
        return clock.end()
    }

    /// The state shared by the timer and its owner.
    private final class Clock: Sendable {
        private let due: Int
        private let state = Mutex((isOver: false, askedAt: Int?.none))

        init(due: Int) { self.due = due }

        func look(_ interruption: Interruption) {
            let now = ProcessUse.milliseconds
            state.withLock { state in
                guard !state.isOver, now >= due else { return }
                state.isOver = true
                // Where no command waits for the request, the process would end at once; here it
                // goes on and is not measured.
                state.askedAt = interruption.request() == .ends ? now : nil
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
