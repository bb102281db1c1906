/// Why a simulation could not go on.
public enum SimulationError: Error, Hashable, Sendable {
    /// So many things ran while virtual time stood still that it will hardly ever move again.
    case noProgress(at: Instant, ran: Int)
    /// Work of the simulated program turned up on a thread that runs no simulation.
    case escaped(job: String, thread: String, at: Instant)
    /// The toolchain's executors or clocks do not do what the simulation relies on.
    case unsupportedToolchain(escaped: [String])
}

extension SimulationError: CustomStringConvertible {
    /// What happened, with which values, and the way out.
    public var description: String {
        switch self {
        case .noProgress(let instant, let ran):
            """
            virtual time stood still at \(instant) while \(ran) jobs and events ran: \
            something loops without waiting. Look for a retry without a delay.
            """
        case .escaped(let job, let thread, let instant):
            """
            \(job) was enqueued on thread "\(thread)" at \(instant), outside the simulation: \
            something was resumed by a real timer, queue or socket. Give that code its time and \
            transport from outside.
            """
        case .unsupportedToolchain(let escaped):
            """
            this toolchain does not keep Swift Concurrency inside the simulation; what escaped: \
            \(escaped.joined(separator: "; ")). Build with Swift 6.3 on Linux.
            """
        }
    }
}

/// Thrown by work that is left unfinished because the process was asked to end.
public struct StopRequested: Error, Hashable, Sendable, CustomStringConvertible {
    /// A sentence for the log.
    public var description: String { "interrupted before anything was found" }

    /// A request to end was noticed.
    public init() {}
}
