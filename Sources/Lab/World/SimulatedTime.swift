internal import Client
internal import Kernel

/// The simulation's clock, as a client's session is given it.
struct SimulatedTime: TimeSource {
    let simulation: Simulation

    var nanosecondsSinceEpoch: Int64 { simulation.now.nanosecondsSince1970 }

    func sleep(nanoseconds: Int64) async throws(CancellationError) {
        try await simulation.sleep(nanoseconds: nanoseconds)
    }
}

/// The run's randomness, as a client's session is given it: one stream per purpose and user.
struct SimulatedRandomness: RandomSource {
    let root: RandomStream

    func bits(_ purpose: StaticString, user: UInt64, ordinal: UInt64) -> UInt64 {
        root.stream(purpose).stream(number: user).bits(at: ordinal)
    }
}
