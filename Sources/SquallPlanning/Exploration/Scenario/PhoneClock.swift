import SquallClient
import SquallLab
import Synchronization

/// A phone's clock: the world's, but for what its owner set it wrong by.
final class PhoneClock: TimeSource {
    private let time: SimulatedTime
    private let offset: Atomic<Int64>

    /// A clock that is so many nanoseconds ahead, or behind with a minus.
    init(_ time: SimulatedTime, aheadBy nanoseconds: Int64) {
        self.time = time
        offset = Atomic(nanoseconds)
    }

    /// What the phone shows.
    var nanosecondsSinceEpoch: Int64 {
        time.nanosecondsSinceEpoch + aheadNanoseconds
    }

    /// How much it is ahead of the world's.
    var aheadNanoseconds: Int64 { offset.load(ordering: .relaxed) }

    /// Sets it so much ahead of the world's, or behind with a minus.
    func set(aheadBy nanoseconds: Int64) { offset.store(nanoseconds, ordering: .relaxed) }

    /// Waits as long as it says: a clock that is wrong runs as fast as any other.
    func sleep(nanoseconds: Int64) async throws(CancellationError) {
        try await time.sleep(nanoseconds: nanoseconds)
    }
}
