/// Stands in for the system's queues, locks, sleeps and sessions while a simulation runs.
///
/// Without one a simulation keeps Swift Concurrency and the clocks inside, and nothing else.
public protocol VirtualSystem: AnyObject {
    /// Lets time pass by ``Simulation/goOn(until:)``, with itself in the system's place.
    ///
    /// - Throws: what that throws, and why code cannot be kept inside.
    func run(until end: Instant) throws -> Simulation.Pause
}
