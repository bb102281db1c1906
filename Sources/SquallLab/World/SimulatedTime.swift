public import SquallClient
public import SquallKernel

/// The simulation's clock, in the form for a client's session.
public struct SimulatedTime: TimeSource {
    let simulation: Simulation

    /// The clock of a simulation.
    public init(simulation: Simulation) { self.simulation = simulation }

    /// The present moment.
    public var nanosecondsSinceEpoch: Int64 { simulation.now.nanosecondsSince1970 }

    /// Suspends the calling task.
    ///
    /// - Throws: `CancellationError` when the task is or gets cancelled.
    public func sleep(nanoseconds: Int64) async throws(CancellationError) {
        try await simulation.sleep(nanoseconds: nanoseconds)
    }
}

/// The run's randomness, in the form for a client's session: one stream per purpose and user.
public struct SimulatedRandomness: RandomSource {
    let root: RandomStream
    private let identity: StreamIdentity

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
