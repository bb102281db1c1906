import CVirtualClock
import Synchronization

/// What a simulation makes of Swift jobs that turn up on threads which run no simulation.
///
/// Such a job may be another program's in the same process, as in parallel tests, or it may be the
/// simulated program's own, resumed by a real queue or socket, which would tear it out of virtual
/// time. (A `DispatchQueue.asyncAfter` called from inside never shows itself here: it reads the
/// virtual clock and so waits for decades. The end of the run reports the task that waits for it as
/// a hang.)
public enum Strictness: Sendable {
    /// They belong to other code: the stock executor runs them.
    case tolerant
    /// Nothing else in this process uses Swift Concurrency, so any such job is an escape.
    case strict

    func begin() {
        guard self == .strict else { return }
        Strictness.foreign.withLock { state in
            if state.runs == 0 {
                state.escape = nil
                Strictness.hasEscape.store(false, ordering: .relaxed)
            }
            state.runs += 1
        }
        squall_hear_of_threads { Strictness.noteThread() }
        Strictness.runningStrict.add(1, ordering: .sequentiallyConsistent)
    }

    func end() {
        guard self == .strict else { return }
        Strictness.runningStrict.subtract(1, ordering: .sequentiallyConsistent)
        Strictness.foreign.withLock { $0.runs -= 1 }
    }

    /// Waits in real time, so that a real timer or queue that holds a continuation shows itself.
    ///
    /// Called only where nothing can happen in virtual time any more, so it never slows a run down.
    func awaitForeignJobs() {
        guard self == .strict else { return }
        for _ in 0..<50 where !Strictness.hasEscape.load(ordering: .relaxed) {
            squall_sleep_real(1_000_000)
        }
    }

    /// The escape seen since the run began, if this one looks for any; asked at each instant.
    @inline(__always)
    func escape(at instant: Instant) -> SimulationError? {
        guard self == .strict, Strictness.hasEscape.load(ordering: .relaxed) else { return nil }
        return found(at: instant)
    }

    private func found(at instant: Instant) -> SimulationError? {
        guard let escape = Strictness.foreign.withLock({ $0.escape }) else { return nil }
        return .escaped(job: escape.job, thread: escape.thread, at: instant)
    }

    /// Called for every job that is enqueued on a thread without a simulation.
    static func noteForeign(_ job: UnownedJob) {
        note(job.description)
    }

    /// Called when the simulated program starts a thread: the thread may run beside it unseen, and
    /// no job shows what it resumes before a task waits for that.
    private static func noteThread() { note("work for a thread of its own") }

    private static func note(_ work: @autoclosure () -> String) {
        guard runningStrict.load(ordering: .relaxed) > 0 else { return }
        let escape = Escape(job: work(), thread: currentThreadName())
        foreign.withLock { state in if state.escape == nil { state.escape = escape } }
        hasEscape.store(true, ordering: .releasing)
    }

    private struct Escape: Sendable {
        let job: String
        let thread: String
    }

    private static let runningStrict = Atomic<Int>(0)
    private static let hasEscape = Atomic<Bool>(false)
    private static let foreign = Mutex<(runs: Int, escape: Escape?)>((0, nil))

    private static func currentThreadName() -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
            guard let start = buffer.baseAddress else { return "unnamed" }
            squall_thread_name(start, UInt(buffer.count))
            return String(cString: start)
        }
    }
}
