internal import CVirtualClock
@_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) internal import _Concurrency

/// The process's default and main executors, replaced once by ones that route by thread.
///
/// A job enqueued on a thread that runs a simulation goes to that simulation; any other goes to the
/// stock executor as if nothing had been replaced. This file is the only one that uses the
/// runtime's unfinished interface for custom executors (Swift 6.3).
enum WorldExecutors {
    /// Replaces the executors; later calls do nothing.
    static func install() { _ = isInstalled }

    private static let isInstalled: Bool = {
        _createExecutors(factory: WorldExecutorFactory.self)
        return true
    }()

    /// Runs a job that a simulation took for the default executor.
    @inline(__always)
    static func runDefault(_ job: UInt64) {
        unsafeBitCast(job, to: UnownedJob.self).runSynchronously(on: unownedDefault)
    }

    /// Runs a job that a simulation took for the main executor.
    @inline(__always)
    static func runMain(_ job: UInt64) {
        unsafeBitCast(job, to: UnownedJob.self).runSynchronously(on: unownedMain)
    }

    private static let unownedDefault = WorldExecutorFactory.world.asUnownedTaskExecutor()
    private static let unownedMain = WorldExecutorFactory.worldMain.asUnownedSerialExecutor()

    /// Hands a job to this thread's simulation; `false`, and the job is untouched, without one.
    @inline(__always)
    fileprivate static func route(_ job: UnownedJob, kind: UInt32, after delay: Int64?) -> Bool {
        guard let pointer = squall_current_simulation() else {
            Strictness.noteForeign(job)
            return false
        }
        return Unmanaged<Simulation>.fromOpaque(pointer)._withUnsafeGuaranteedRef { simulation in
            let bits = unsafeBitCast(job, to: UInt64.self)
            if let delay {
                simulation.enqueue(bits, kind: kind, afterNanoseconds: delay)
            } else {
                simulation.enqueue(bits, kind: kind)
            }
            return true
        }
    }

    /// A clock's duration in nanoseconds; simulations know only clocks that count in `Duration`.
    fileprivate static func nanoseconds<C: Clock>(_ duration: C.Duration, _ clock: C) -> Int64 {
        guard let duration = duration as? Duration else {
            preconditionFailure("\(type(of: clock)) does not count in Swift's Duration")
        }
        return duration.wholeNanoseconds
    }
}

private struct WorldExecutorFactory: ExecutorFactory {
    static let worldMain = WorldMainExecutor()
    static let world = WorldExecutor()
    static var mainExecutor: any MainExecutor { worldMain }
    static var defaultExecutor: any TaskExecutor { world }
}

private final class WorldExecutor: TaskExecutor, SchedulingExecutor {
    private let stock = PlatformExecutorFactory.defaultExecutor

    func enqueue(_ job: consuming ExecutorJob) {
        let unowned = UnownedJob(job)
        if WorldExecutors.route(unowned, kind: ReadyItem.defaultJob, after: nil) { return }
        stock.enqueue(ExecutorJob(unowned))
    }

    func enqueue<C: Clock>(
        _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
    ) {
        let unowned = UnownedJob(job)
        let nanoseconds = WorldExecutors.nanoseconds(delay, clock)
        if WorldExecutors.route(unowned, kind: ReadyItem.defaultJob, after: nanoseconds) { return }
        guard let stock = stock as? any SchedulingExecutor else {
            preconditionFailure("the stock executor \(type(of: stock)) cannot wait")
        }
        stock.enqueue(ExecutorJob(unowned), after: delay, tolerance: tolerance, clock: clock)
    }
}

private final class WorldMainExecutor: MainExecutor, SchedulingExecutor {
    private let stock = PlatformExecutorFactory.mainExecutor

    func enqueue(_ job: consuming ExecutorJob) {
        let unowned = UnownedJob(job)
        if WorldExecutors.route(unowned, kind: ReadyItem.mainJob, after: nil) { return }
        stock.enqueue(ExecutorJob(unowned))
    }

    func enqueue<C: Clock>(
        _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
    ) {
        let unowned = UnownedJob(job)
        let nanoseconds = WorldExecutors.nanoseconds(delay, clock)
        if WorldExecutors.route(unowned, kind: ReadyItem.mainJob, after: nanoseconds) { return }
        guard let stock = stock as? any SchedulingExecutor else {
            preconditionFailure("the stock main executor \(type(of: stock)) cannot wait")
        }
        stock.enqueue(ExecutorJob(unowned), after: delay, tolerance: tolerance, clock: clock)
    }

    func run() throws { try stock.run() }

    func stop() { stock.stop() }

    func checkIsolated() {
        if squall_current_simulation() == nil { stock.checkIsolated() }
    }
}
