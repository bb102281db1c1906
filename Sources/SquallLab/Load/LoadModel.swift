/// What makes a population's users begin a journey.
enum LoadModel: Sendable {
    /// The users are there all the time and begin again by themselves.
    case closed(pacingNanoseconds: Int64?, active: ActiveUsers?)
    /// Sessions arrive from outside, and each takes a free user.
    case open(ArrivalProcess, continues: Double, Profile.Overflow)
}

/// The free users of an open load, and the sessions that have arrived and wait for one.
///
/// A waiting session is only the moment of its arrival: eight bytes.
struct SessionPool {
    private var arriving: ArrivalCursor
    /// When the waiting sessions arrived.
    private var queue = Queue<Int64>()
    private var unused: Range<Int>
    private var returned = Queue<Int>()
    /// Which users and sessions are of this pool.
    private let share: UserShare

    /// A pool with all users of a share free, for its sessions.
    init(_ process: ArrivalProcess, users: Range<Int>, _ share: UserShare) {
        arriving = ArrivalCursor(process)
        self.share = share
        unused = share.rest(of: users)
        skipOthers()
    }

    /// When the next session arrives; `nil` when no more do.
    var nextArrival: Int64? { arriving.instant }

    /// How many sessions have arrived and wait for a free user.
    var waiting: UInt64 { UInt64(queue.elements.count) }

    var arrived: UInt64 { UInt64(share.count(below: Int(arriving.number))) }

    /// When each waiting session arrived, the oldest first.
    var waitingSince: ArraySlice<Int64> { queue.elements }

    /// Whether a user is free for a session now.
    var hasFree: Bool { !unused.isEmpty || !returned.elements.isEmpty }

    /// Turns away the session that has waited longest.
    mutating func refuse() { _ = queue.popFirst() }

    /// Adds the next session, which has arrived.
    mutating func arrive() {
        if let instant = arriving.instant { queue.append(instant) }
        arriving.advance()
        skipOthers()
    }

    /// Leaves out the sessions of other shares.
    private mutating func skipOthers() {
        while arriving.instant != nil, !share.contains(Int(arriving.number)) { arriving.advance() }
    }

    /// A user for the session that has waited longest, with the moment of its arrival.
    ///
    /// Users without any session so far come first, then those who have been free for longest.
    mutating func begin() -> (user: Int, arrival: Int64)? {
        guard waiting > 0, let user = unused.popFirst() ?? returned.popFirst(),
            let arrival = queue.popFirst()
        else { return nil }
        unused = share.rest(of: unused)
        return (user, arrival)
    }

    /// Frees a user whose session is over.
    mutating func release(_ user: Int) { returned.append(user) }
}

/// A queue; its elements move up only when most of its memory is no longer used.
private struct Queue<Element> {
    private var all: [Element] = []
    private var first = 0

    /// Those that wait, the oldest first.
    var elements: ArraySlice<Element> { all[first...] }

    mutating func append(_ element: Element) { all.append(element) }

    mutating func popFirst() -> Element? {
        guard first < all.count else { return nil }
        defer {
            first += 1
            if first > 1_024, first * 2 > all.count {
                all.removeFirst(first)
                first = 0
            }
        }
        return all[first]
    }
}
