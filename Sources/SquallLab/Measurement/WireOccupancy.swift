import SquallBackend
import SquallKernel

/// The number of attempts under way over time, for Little's law.
///
/// The area under their number is summed from when each began and ended to be counted; the time
/// they spent is summed from each one's own record. Both are whole nanoseconds and agree exactly
/// whenever nothing is under way.
struct WireOccupancy {
    private var attempts = Occupancy()
    /// The part of the time that ended attempts took in which they waited for a connection of their
    /// own user.
    private(set) var waited: Int128 = 0

    var level: Int64 { attempts.count }
    var ended: Int64 { attempts.departed }
    /// The time that ended attempts took.
    var residence: Int128 { attempts.residenceNanoseconds }

    mutating func begin(at now: Int64) { attempts.enter(at: Instant(nanoseconds: now)) }

    /// Notes an attempt's end, with the moments of its handing over and of its connection.
    mutating func end(handedOver: Int64, sent: Int64, at now: Int64) {
        attempts.leave(
            enteredAt: Instant(nanoseconds: handedOver), at: Instant(nanoseconds: now))
        waited += Int128(sent - handedOver)
    }

    /// The share of attempts' time spent waiting for a connection; 0 before one ended.
    var waitedShare: Double { residence > 0 ? Double(waited) / Double(residence) : 0 }

    /// The area under the number of attempts under way up to a moment.
    func area(at now: Int64) -> Int128 { attempts.areaNanoseconds(at: Instant(nanoseconds: now)) }

    /// True if the law holds at a moment: exactly when nothing is under way, otherwise within the
    /// time that attempts under way have spent.
    func obeysLittle(at now: Int64) -> Bool {
        level == 0 ? area(at: now) == residence : area(at: now) >= residence
    }
}
