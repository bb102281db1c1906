#if !canImport(Darwin) && !SQUALL_EXECUTOR_HOOKS
    import CVirtualClock
    @_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) import _Concurrency

    /// The process's default and main executors, replaced once by ones that route by thread.
    ///
    /// A job enqueued on a thread that runs a simulation goes to that simulation; any other goes to
    /// the stock executor as if nothing had been replaced. This file is the only one that uses the
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

        /// The runtime's number of the task that a job is; 0 for an actor's turn.
        ///
        /// The runtime counts tasks of the whole process, so the number is good for telling them
        /// apart and must never show.
        static func taskIdentifier(of job: UInt64) -> UInt64 {
            runtimeTaskIdentifier(of: unsafeBitCast(job, to: UnownedJob.self))
        }

        private static let unownedDefault = WorldExecutorFactory.world.asUnownedTaskExecutor()
        private static let unownedMain = WorldExecutorFactory.worldMain.asUnownedSerialExecutor()

        /// Hands a job to this thread's simulation, or to the stock executor when there is none.
        @inline(__always)
        fileprivate static func enqueue(
            _ job: consuming ExecutorJob, kind: UInt32, stock: any Executor
        ) {
            let job = UnownedJob(job)
            guard let simulation = currentSimulation(for: job) else {
                return stock.enqueue(ExecutorJob(job))
            }
            simulation._withUnsafeGuaranteedRef {
                $0.enqueue(unsafeBitCast(job, to: UInt64.self), kind: kind)
            }
        }

        /// Hands a delayed job to this thread's simulation, or to the stock executor when there is
        /// none.
        fileprivate static func enqueue<C: Clock>(
            _ job: consuming ExecutorJob, kind: UInt32, after delay: C.Duration,
            tolerance: C.Duration?, clock: C, stock: any Executor
        ) {
            let job = UnownedJob(job)
            guard let simulation = currentSimulation(for: job) else {
                guard let stock = stock as? any SchedulingExecutor else {
                    preconditionFailure("the stock executor \(type(of: stock)) cannot wait")
                }
                return stock.enqueue(
                    ExecutorJob(job), after: delay, tolerance: tolerance, clock: clock)
            }
            guard let delay = delay as? Duration else {
                preconditionFailure("\(C.self) does not count in Swift's Duration")
            }
            simulation._withUnsafeGuaranteedRef {
                $0.enqueue(
                    unsafeBitCast(job, to: UInt64.self), kind: kind,
                    afterNanoseconds: delay.wholeNanoseconds)
            }
        }

        @inline(__always)
        private static func currentSimulation(for job: UnownedJob) -> Unmanaged<Simulation>? {
            guard let pointer = squall_current_simulation() else {
                Strictness.noteForeign(job)
                return nil
            }
            return Unmanaged<Simulation>.fromOpaque(pointer)
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
            WorldExecutors.enqueue(job, kind: ReadyItem.defaultJob, stock: stock)
        }

        func enqueue<C: Clock>(
            _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
        ) {
            WorldExecutors.enqueue(
                job, kind: ReadyItem.defaultJob, after: delay, tolerance: tolerance, clock: clock,
                stock: stock)
        }
    }

    private final class WorldMainExecutor: MainExecutor {
        private let stock = PlatformExecutorFactory.mainExecutor

        func enqueue(_ job: consuming ExecutorJob) {
            WorldExecutors.enqueue(job, kind: ReadyItem.mainJob, stock: stock)
        }

        func run() throws { try stock.run() }

        func stop() { stock.stop() }

        func checkIsolated() {
            if squall_current_simulation() == nil { stock.checkIsolated() }
        }
    }

    @_silgen_name("swift_task_getJobTaskId")
    private func runtimeTaskIdentifier(of job: UnownedJob) -> UInt64
#endif
