import SquallKernel

/// The free users of an open load, and the sessions that have arrived and wait for one.
///
/// A waiting session is only the moment of its arrival: eight bytes.
struct SessionPool {
    private var arriving: ArrivalCursor
    /// When the waiting sessions arrived.
    private var queue = Queue<Int64>()
    private var unused: Range<Int>
    private var returned = Queue<Int>()
    /// The free users where each as likely comes as another; nil where they take turns.
    private var drawn: DrawnUsers?
    /// Which users and sessions are of this pool.
    private let share: UserShare

    /// A pool with all users of a share free, for its sessions; `returning` draws who comes.
    init(
        _ process: ArrivalProcess, users: Range<Int>, _ share: UserShare, returning: RandomStream?
    ) {
        arriving = ArrivalCursor(process)
        self.share = share
        unused = returning == nil ? share.rest(of: users) : 0..<0
        drawn = returning.map { DrawnUsers(users.filter(share.contains), $0) }
        skipOthers()
    }

    /// When the next session arrives; `nil` when no more do.
    var nextArrival: Int64? { arriving.instant }

    var waiting: UInt64 { UInt64(queue.elements.count) }

    var arrived: UInt64 { UInt64(share.count(below: Int(arriving.number))) }

    /// When each waiting session arrived, the oldest first.
    var waitingSince: ArraySlice<Int64> { queue.elements }

    var hasFree: Bool {
        drawn?.hasFree ?? (!unused.isEmpty || !returned.elements.isEmpty)
    }

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
    mutating func begin() -> (user: Int, arrival: Int64)? {
        guard waiting > 0, let user = takeUser(), let arrival = queue.popFirst() else { return nil }
        return (user, arrival)
    }

    private mutating func takeUser() -> Int? {
        if drawn != nil { return drawn?.take() }
        // Users without any session so far come first, then those who have been free for longest.
        let user = unused.popFirst() ?? returned.popFirst()
        unused = share.rest(of: unused)
        return user
    }

    /// Frees a user whose session is over.
    mutating func release(_ user: Int) {
        if drawn == nil { returned.append(user) } else { drawn?.release(user) }
    }
}

/// Free users, each of whom is as likely to come as another.
///
/// A session's first draws are among all users, and one that is busy is passed over: so the same
/// session is of the same user in two designs, as far as that user is free in both. A draw among
/// the free ones follows where these are few. Eight bytes a user.
private struct DrawnUsers {
    private let users: [Int]
    private let stream: RandomStream
    /// The places of the free users in `users`, in no order.
    private var free: [UInt32]
    /// Where each place stands in `free`; `busy` for one that does not.
    private var positions: [UInt32]
    private var drawn: UInt64 = 0

    private static let busy = UInt32.max
    private static let tries: UInt64 = 8

    init(_ users: [Int], _ stream: RandomStream) {
        (self.users, self.stream) = (users, stream)
        free = users.indices.map(UInt32.init)
        positions = free
    }

    var hasFree: Bool { !free.isEmpty }

    mutating func take() -> Int? {
        guard hasFree else { return nil }
        let own = stream.stream(number: drawn)
        drawn += 1
        for number in 0..<Self.tries {
            let place = Int(own.integer(below: UInt64(users.count), at: number))
            if positions[place] != Self.busy { return take(place) }
        }
        let position = own.integer(below: UInt64(free.count), at: Self.tries)
        return take(Int(free[Int(position)]))
    }

    private mutating func take(_ place: Int) -> Int {
        let position = Int(positions[place])
        let last = free.removeLast()
        if position < free.count {
            free[position] = last
            positions[Int(last)] = UInt32(position)
        }
        positions[place] = Self.busy
        return users[place]
    }

    mutating func release(_ user: Int) {
        // A share has every so-many-th user, so the place follows from the first one.
        let step = users.count > 1 ? users[1] - users[0] : 1
        let place = (user - users[0]) / step
        positions[place] = UInt32(free.count)
        free.append(UInt32(place))
    }
}

/// A queue whose elements move up only when most of its memory is no longer used.
private struct Queue<Element> {
    private var all: [Element] = []
    private var first = 0

    /// The waiting elements, the oldest first.
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
