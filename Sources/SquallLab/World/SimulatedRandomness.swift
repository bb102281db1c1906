public import SquallClient
public import SquallKernel

/// The run's randomness, in the form for a client's session: one stream per purpose and user.
public struct SimulatedRandomness: RandomSource {
    let root: RandomStream
    let identity: StreamIdentity

    /// The randomness of a run, by its root.
    public init(root: RandomStream, identity: StreamIdentity = StreamIdentity()) {
        self.root = root
        self.identity = identity
    }

    /// The word of a purpose, user and ordinal.
    public func bits(_ purpose: StaticString, user: UInt64, ordinal: UInt64) -> UInt64 {
        root.stream(purpose).stream(number: identity.key(of: user)).bits(at: ordinal)
    }
}

/// A simulation is the clock of a client's session.
extension Simulation: TimeSource {
    /// The present moment.
    public var nanosecondsSinceEpoch: Int64 { nanosecondsSince1970 }
}
