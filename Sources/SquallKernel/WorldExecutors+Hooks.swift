#if canImport(Darwin) || SQUALL_EXECUTOR_HOOKS
    import CVirtualClock
    import Dispatch

    /// The process's default and main executors, by the runtime's hooks: for systems where they
    /// cannot be replaced (ExecutorHooks.c).
    ///
    /// Jobs run in the same order and steps as with the other `WorldExecutors`. `Task.sleep` stays
    /// the system's; the apps do not use it.
    enum WorldExecutors {
        /// Sets the hooks; later calls do nothing.
        static func install() { _ = isInstalled }

        private static let isInstalled: Bool = {
            let main = unsafeBitCast(unownedMain, to: (UInt, UInt).self)
            squall_hook_executors(
                { job in
                    WorldExecutors.takes(UInt64(UInt(bitPattern: job)), kind: ReadyItem.defaultJob)
                        ? 1 : 0
                }, UnsafeMutableRawPointer(bitPattern: main.0), main.1)
            return true
        }()

        /// Runs a job that a simulation took for the default executor.
        @inline(__always)
        static func runDefault(_ job: UInt64) { squall_run_job(pointer(job)) }

        /// Runs a job that a simulation took for the main executor.
        @inline(__always)
        static func runMain(_ job: UInt64) {
            unsafeBitCast(job, to: UnownedJob.self).runSynchronously(on: unownedMain)
        }

        /// The runtime's number of the task that a job is; 0 for an actor's turn.
        static func taskIdentifier(of job: UInt64) -> UInt64 {
            runtimeTaskIdentifier(of: unsafeBitCast(job, to: UnownedJob.self))
        }

        private static let worldMain = WorldMainExecutor()
        private static let unownedMain = worldMain.asUnownedSerialExecutor()

        fileprivate static func pointer(_ job: UInt64) -> UnsafeMutableRawPointer? {
            UnsafeMutableRawPointer(bitPattern: UInt(job))
        }

        /// Hands a job to this thread's simulation; false when there is none.
        fileprivate static func takes(_ job: UInt64, kind: UInt32) -> Bool {
            guard let simulation = squall_current_simulation() else {
                Strictness.noteForeign(unsafeBitCast(job, to: UnownedJob.self))
                return false
            }
            Unmanaged<Simulation>.fromOpaque(simulation)._withUnsafeGuaranteedRef {
                $0.enqueue(job, kind: kind)
            }
            return true
        }
    }

    private final class WorldMainExecutor: SerialExecutor {
        func enqueue(_ job: consuming ExecutorJob) {
            let job = unsafeBitCast(UnownedJob(job), to: UInt64.self)
            if !WorldExecutors.takes(job, kind: ReadyItem.mainJob) {
                squall_enqueue_on_main_thread(WorldExecutors.pointer(job))
            }
        }

        func checkIsolated() {
            if squall_current_simulation() == nil {
                dispatchPrecondition(condition: .onQueue(.main))
            }
        }
    }

    @_silgen_name("swift_task_getJobTaskId")
    private func runtimeTaskIdentifier(of job: UnownedJob) -> UInt64
#endif
