public import SquallClient
public import SquallKernel

/// A simulation is the clock of a client's session.
extension Simulation: TimeSource {
    /// The present moment.
    public var nanosecondsSinceEpoch: Int64 { nanosecondsSince1970 }
}
