public import SquallKernel

/// How many requests are at the server, waiting or in work, over time.
///
/// Both sides of Little's law in whole nanoseconds, each counted in its own way: the area under the
/// number of requests, and the sum of their times at the server. On a drained server they are
/// equal, not nearly equal.
public struct Occupancy: Hashable, Sendable {
    /// How many are there now.
    public private(set) var count: Int64 = 0
    /// How many have left.
    public private(set) var departed: Int64 = 0
    /// The sum of the times of those who left.
    public private(set) var residenceNanoseconds: Int128 = 0
    private var areaUpToChange: Int128 = 0
    private var changedAt = Instant.start

    /// No requests at the beginning of time.
    public init() {}

    /// The number of requests added up over time, in requests times nanoseconds.
    public func areaNanoseconds(at now: Instant) -> Int128 {
        areaUpToChange + Int128(count) * Int128(now.nanoseconds - changedAt.nanoseconds)
    }

    mutating func enter(at now: Instant) {
        change(at: now)
        count += 1
    }

    mutating func leave(enteredAt: Instant, at now: Instant) {
        change(at: now)
        count -= 1
        departed += 1
        residenceNanoseconds += Int128(now.nanoseconds - enteredAt.nanoseconds)
    }

    private mutating func change(at now: Instant) {
        areaUpToChange = areaNanoseconds(at: now)
        changedAt = now
    }
}
