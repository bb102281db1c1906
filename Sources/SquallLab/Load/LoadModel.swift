import SquallProfile

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
/// Waiting sessions are no list: when each of them arrived can be worked out again, so two cursors
/// over the same process are enough for any backlog.
struct SessionPool {
    private var arriving: ArrivalCursor
    private var starting: ArrivalCursor
    private var unused: Range<Int>
    private var returned: [Int] = []
    private var firstReturned = 0

    /// A pool in which everybody is free.
    init(_ process: ArrivalProcess, users: Range<Int>) {
        arriving = ArrivalCursor(process)
        starting = arriving
        unused = users
    }

    /// When the next session arrives; `nil` when no more do.
    var nextArrival: Int64? { arriving.instant }

    /// How many sessions have arrived and wait for a free user.
    var waiting: UInt64 { arriving.number - starting.number }

    /// How many sessions have arrived so far.
    var arrived: UInt64 { arriving.number }

    /// When each session arrived that waits, the oldest first.
    ///
    /// - Complexity: O(those that wait), each by bisection.
    var waitingSince: [Int64] {
        var cursor = starting
        return (0..<waiting).compactMap { _ in
            defer { cursor.advance() }
            return cursor.instant
        }
    }

    /// Whether somebody could take a session now.
    var hasFree: Bool { !unused.isEmpty || firstReturned < returned.count }

    /// The session that has waited longest goes away.
    mutating func refuse() { starting.advance() }

    /// The next session has arrived.
    mutating func arrive() { arriving.advance() }

    /// A user for the session that has waited longest, with the moment it arrived.
    ///
    /// Users who never had a session come first, then those who have been free for longest.
    mutating func begin() -> (user: Int, arrival: Int64)? {
        guard waiting > 0, let arrival = starting.instant, let user = takeUser() else { return nil }
        starting.advance()
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
