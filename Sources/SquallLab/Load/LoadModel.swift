/// What makes a population's users begin a journey.
enum LoadModel: Sendable {
    /// The users are there all the time and begin again by themselves.
    case closed(pacingNanoseconds: Int64?, active: ActiveUsers?)
    /// Sessions arrive from outside and take whoever is free.
    case open(ArrivalProcess, continues: Double, Profile.Overflow)

    /// How far apart a user's visits are meant to begin; `nil` where nothing says so.
    var pacingNanoseconds: Int64? {
        if case .closed(let pacing, _) = self { pacing } else { nil }
    }
}

/// The users of an open load who are free, and the sessions that arrived and wait for one.
///
/// Of a waiting session there is no more than the moment it arrived: eight bytes.
struct SessionPool {
    private var arriving: ArrivalCursor
    /// When those arrived that wait, the oldest first, behind some that have begun.
    private var queue: [Int64] = []
    private var firstWaiting = 0
    private var unused: Range<Int>
    private var returned: [Int] = []
    private var firstReturned = 0

    /// A pool in which everybody is free.
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

    /// When each session arrived that waits, the oldest first.
    var waitingSince: ArraySlice<Int64> { queue[firstWaiting...] }

    /// Whether somebody could take a session now.
    var hasFree: Bool { !unused.isEmpty || firstReturned < returned.count }

    /// The session that has waited longest goes away.
    mutating func refuse() { _ = takeOldest() }

    /// The next session has arrived.
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

    /// A user for the session that has waited longest, with the moment it arrived.
    ///
    /// Users who never had a session come first, then those who have been free for longest.
    mutating func begin() -> (user: Int, arrival: Int64)? {
        guard waiting > 0, let user = takeUser(), let arrival = takeOldest() else { return nil }
        return (user, arrival)
    }

    /// A user's session is over.
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
