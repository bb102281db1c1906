extension Simulation {
    /// Suspends the calling task for a span of virtual time.
    ///
    /// A span below zero is none: a clock that was set may say that a moment has passed.
    /// Unlike `Task.sleep`, cancellation removes the timer: no event is left behind.
    ///
    /// - Throws: `CancellationError` when the task is or gets cancelled.
    public func sleep(nanoseconds: Int64) async throws(CancellationError) {
        let sleeper = Sleeper(simulation: self)
        let woke = await suspended(in: sleeper) { continuation, _ in
            sleeper.start(continuation, nanoseconds: nanoseconds)
        }
        if !woke { throw CancellationError() }
    }
}

/// One sleeping task: its timer and what resumes it.
final class Sleeper: Suspension, @unchecked Sendable {
    // Safe because every method runs on the simulation's thread.

    private let simulation: Simulation
    private var continuation: UnsafeContinuation<Bool, Never>?
    private var timer: Timer?

    init(simulation: Simulation) { self.simulation = simulation }

    /// Wakes the sleeper that an event's argument names, and drops the event's reference to it.
    static func wake(_ argument: UInt64) {
        guard let pointer = UnsafeRawPointer(bitPattern: UInt(argument)) else { return }
        Unmanaged<Sleeper>.fromOpaque(pointer).takeRetainedValue().finish(woke: true)
    }

    func start(_ continuation: UnsafeContinuation<Bool, Never>, nanoseconds: Int64) {
        guard !Task.isCancelled else { return continuation.resume(returning: false) }
        self.continuation = continuation
        let held = UInt64(UInt(bitPattern: Unmanaged.passRetained(self).toOpaque()))
        simulation.fallsAsleep(in: held)
        timer = simulation.schedule(
            simulation.sleeperHandler, argument: held,
            at: simulation.now.advanced(byNanoseconds: max(0, nanoseconds)))
    }

    func taskWasCancelled() {
        guard let timer else { return }
        if simulation.cancel(timer) { Unmanaged.passUnretained(self).release() }
        finish(woke: false)
    }

    private func finish(woke: Bool) {
        continuation?.resume(returning: woke)
        continuation = nil
        timer = nil
    }
}
