/// The number of attempts under way over time, for Little's law.
///
/// The area under their number is summed from when each began and ended to be counted; the time
/// they spent is summed from each one's own record. Both are whole nanoseconds and agree exactly
/// whenever nothing is under way.
struct WireOccupancy {
    private(set) var level: Int64 = 0
    private var changedAt: Int64 = 0
    private var area: Int128 = 0
    private(set) var ended: Int64 = 0
    /// The time that ended attempts took.
    private(set) var residence: Int128 = 0
    /// The part of it that they waited for a connection of their own user.
    private(set) var waited: Int128 = 0

    mutating func begin(at now: Int64) { change(by: 1, at: now) }

    /// Notes an attempt's end, with the moments of its handing over and of its connection.
    mutating func end(handedOver: Int64, sent: Int64, at now: Int64) {
        change(by: -1, at: now)
        ended += 1
        waited += Int128(sent - handedOver)
        residence += Int128(now - handedOver)
    }

    /// The share of attempts' time spent waiting for a connection; 0 before one ended.
    var waitedShare: Double { residence > 0 ? Double(waited) / Double(residence) : 0 }

    /// The area under the number of attempts under way up to a moment.
    func area(at now: Int64) -> Int128 { area + Int128(level) * Int128(now - changedAt) }

    /// True if the law holds at a moment: exactly when nothing is under way, otherwise within the
    /// time that attempts under way have spent.
    func obeysLittle(at now: Int64) -> Bool {
        level == 0 ? area(at: now) == residence : area(at: now) >= residence
    }

    private mutating func change(by difference: Int64, at now: Int64) {
        area = area(at: now)
        changedAt = now
        level += difference
    }
}
