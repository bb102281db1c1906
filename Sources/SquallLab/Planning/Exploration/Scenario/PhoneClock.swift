import SquallClient
import SquallKernel
import Synchronization

/// A phone's clock: the world's time plus the offset that the user set.
final class PhoneClock: TimeSource {
    private let simulation: Simulation
    private let offset: Atomic<Int64>

    /// Makes a clock that is ahead by the given nanoseconds, or behind if negative.
    init(_ simulation: Simulation, aheadBy nanoseconds: Int64) {
        self.simulation = simulation
        offset = Atomic(nanoseconds)
    }

    /// What the phone shows.
    var nanosecondsSinceEpoch: Int64 {
        simulation.nanosecondsSinceEpoch + aheadNanoseconds
    }

    /// The world's time, which no user can set.
    var uptimeNanoseconds: Int64 { simulation.nanosecondsSinceEpoch }

    /// How far it is ahead of the world's clock.
    var aheadNanoseconds: Int64 { offset.load(ordering: .relaxed) }

    /// Sets how far it is ahead of the world's clock, or behind if negative.
    func set(aheadBy nanoseconds: Int64) { offset.store(nanoseconds, ordering: .relaxed) }

    /// Sleeps for the given time: an offset does not change how fast a clock runs.
    func sleep(nanoseconds: Int64) async throws(CancellationError) {
        try await simulation.sleep(nanoseconds: nanoseconds)
    }
}
