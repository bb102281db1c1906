/// What makes a population's users begin a journey.
enum LoadModel: Sendable {
    /// The users are there all the time and begin again by themselves.
    case closed(pacingNanoseconds: Int64?, active: ActiveUsers?)
    /// Sessions arrive from outside, and each takes a free user.
    case open(ArrivalProcess, continues: Double, Profile.Overflow)

    /// The planned time between the beginnings of a user's visits; `nil` without a plan.
    var pacingNanoseconds: Int64? {
        if case .closed(let pacing, _) = self { pacing } else { nil }
    }
}

/// The free users of an open load, and the sessions that have arrived and wait for one.
///
/// A waiting session is only the moment of its arrival: eight bytes.
struct SessionPool {
    private var arriving: ArrivalCursor
    /// When the waiting sessions arrived, the oldest first, behind some that have begun.
    private var queue: [Int64] = []
    private var firstWaiting = 0
    private var unused: Range<Int>
    private var returned: [Int] = []
    private var firstReturned = 0

    /// A pool with all users free.
    init(_ process: ArrivalProcess, users: Range<Int>) {
        arriving = ArrivalCursor(process)
        unused = users
    }

    /// When the next session arrives; `nil` when no more do.
    var nextArrival: Int64? { arriving.instant }

    /// How many sessions have arrived and wait for a free user.
    var waiting: UInt64 { UInt64(queue.count - firstWaiting) }

    /// How many sessions have arrived so far.
    var arrived: UInt64 { arriving.number }

    /// When each waiting session arrived, the oldest first.
    var waitingSince: ArraySlice<Int64> { queue[firstWaiting...] }

    /// Whether a user is free for a session now.
    var hasFree: Bool { !unused.isEmpty || firstReturned < returned.count }

    /// Turns away the session that has waited longest.
    mutating func refuse() { _ = takeOldest() }

    /// Adds the next session, which has arrived.
    mutating func arrive() {
        if let instant = arriving.instant { queue.append(instant) }
        arriving.advance()
    }

    private mutating func takeOldest() -> Int64? {
        guard firstWaiting < queue.count else { return nil }
        defer {
            firstWaiting += 1
            if firstWaiting > 1_024, firstWaiting * 2 > queue.count {
                queue.removeFirst(firstWaiting)
                firstWaiting = 0
            }
        }
        return queue[firstWaiting]
    }

    /// A user for the session that has waited longest, with the moment of its arrival.
    ///
    /// Users without any session so far come first, then those who have been free for longest.
    mutating func begin() -> (user: Int, arrival: Int64)? {
        guard waiting > 0, let user = takeUser(), let arrival = takeOldest() else { return nil }
        return (user, arrival)
    }

    /// Frees a user whose session is over.
    mutating func release(_ user: Int) { returned.append(user) }

    private mutating func takeUser() -> Int? {
        if let user = unused.popFirst() { return user }
        guard firstReturned < returned.count else { return nil }
        defer {
            firstReturned += 1
            if firstReturned > 1_024, firstReturned * 2 > returned.count {
                returned.removeFirst(firstReturned)
                firstReturned = 0
            }
        }
        return returned[firstReturned]
    }
}
