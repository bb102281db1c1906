import SquallApps
import SquallKernel
import SquallReport

/// The visits that the load has offered and that remain: the fleet's side of the measurement's
/// laws.
extension Fleet {
    /// The number of visits that a population's load has offered so far, computed from its plan and
    /// not from the visits; `nil` where users begin by themselves, so that every visit begun was
    /// offered.
    ///
    /// For an open load it follows from the arrivals, for a paced one from the arrivals of its
    /// users; with stages it also depends on how late users are when they are sent home.
    func visitsPlanned(in index: Int) -> Int64? {
        let population = populations[index]
        if let pool = pools[index] { return Int64(pool.arrived) + unplannedVisits[index] }
        guard case .closed(let pacing?, nil) = population.load else { return nil }
        let end = min(simulation.now.nanoseconds, loadEnd)
        return population.users.lazy.filter(share.contains).reduce(0) { sum, user in
            let span = end - arrival(of: user, population)
            return span < 0 ? sum : sum + span / pacing + 1
        }
    }

    /// The number of users between the beginning and the end of a visit.
    var visitsUnderWay: Int64 { Int64(users.count { $0.isVisiting }) }

    /// Reports every step that still runs, at the end of a run that was not cut short.
    func tellRunning() {
        for user in users.indices {
            guard let step = users[user].running else { continue }
            observer.stepUnfinished(user: user, ordinal: users[user].stepsBegun - 1, step: step)
        }
    }

    /// Reports every visit that should have begun by now and has not.
    func tellWaiting(in index: Int) {
        let now = simulation.now.nanoseconds
        if let pool = pools[index] {
            // Their arrivals were reported when they happened.
            observer.visitsWait(in: index, VisitWaits(since: pool.waitingSince, until: now))
            return
        }
        // Only a paced load plans the beginnings of visits; other users need not be checked.
        let population = populations[index]
        guard case .closed(let pacing?, let active) = population.load else { return }
        for user in population.users {
            let isOut = active.map {
                $0.nextActivity(of: user - population.users.lowerBound, from: now) != now
            }
            let missed = missedBeginnings(of: user, each: pacing, isSentHome: isOut ?? false)
            guard !missed.isEmpty else { continue }
            for _ in missed { observer.visitOffered(in: index) }
            observer.visitsWait(in: index, VisitWaits(since: missed[...], until: now))
        }
    }

    /// The planned beginnings of visits of a paced load's user that did not come.
    private func missedBeginnings(
        of user: Int, each pacing: Int64, isSentHome: Bool
    ) -> [Int64] {
        var first = users[user].intended
        if users[user].isVisiting {
            first += pacing
            // A user who was sent home meanwhile misses nothing.
            if isSentHome { return [] }
        } else if !users[user].isIntended {
            return []
        }
        return Array(stride(from: first, through: simulation.now.nanoseconds, by: Int(pacing)))
    }
}

/// The waits of visits that a load offered and that have not begun by its end.
///
/// There may be hundreds of millions, too many for one call each when a run is stopped.
struct VisitWaits {
    /// The wait of each.
    let delays: Histogram
    /// The planned beginning of each, in order.
    private let since: ArraySlice<Int64>
    private let end: Int64

    init(since: ArraySlice<Int64>, until end: Int64) {
        self.since = since
        self.end = end
        var delays = Histogram()
        delays.record(from: since, to: end)
        self.delays = delays
    }

    /// The number of visits that have waited for longer than a span.
    func count(longerThan nanoseconds: Int64) -> Int64 {
        var (low, high) = (since.startIndex, since.endIndex)
        while low < high {
            let middle = (low + high) / 2
            if end - since[middle] > nanoseconds { low = middle + 1 } else { high = middle }
        }
        return Int64(low - since.startIndex)
    }
}

/// The beginnings of journeys, and what follows them.
extension Fleet {
    func scheduleArrivals(of index: Int) {
        let population = populations[index]
        switch population.load {
        case .open(let process, _, _, let returning):
            pools[index] = SessionPool(
                process, users: population.users, share, returning: returning)
            scheduleNextSession(of: index)
        case .closed(_, let active?):
            for user in made(population.users) { wakeWhenActive(user, population, active) }
        case .closed(let pacing, nil):
            for user in made(population.users) {
                let moment = arrival(of: user, population)
                if pacing != nil { intend(user, at: moment) }
                wake(user, at: moment)
            }
        }
    }

    /// The users who take part, up to the one where the world was stopped; usually all.
    private func made(_ users: Range<Int>) -> some Sequence<Int> {
        users.lazy.prefix { [simulation] in $0 % 4_096 != 0 || !simulation.isStopped() }
            .filter(share.contains)
    }

    /// The first arrival of a user of a closed load without stages.
    func arrival(of user: Int, _ population: Population) -> Int64 {
        let unit = choices.arrival.stream(number: streamKey(user)).unit(at: 0)
        return Int64(unit * Double(population.settings.arriveOverNanoseconds))
    }

    /// A session of an open load arrives; it begins at once if a user is free.
    func sessionArrived(in index: Int) {
        guard !isDraining else { return }
        pools[index]?.arrive()
        observer.visitOffered(in: index)
        scheduleNextSession(of: index)
        if case .open(_, _, .refuse, _) = populations[index].load, pools[index]?.hasFree == false {
            pools[index]?.refuse()
            return observer.visitRefused(in: index)
        }
        beginSession(in: index)
    }

    private func scheduleNextSession(of index: Int) {
        guard let instant = pools[index]?.nextArrival, let sessionHandler else { return }
        simulation.schedule(
            sessionHandler, argument: UInt64(index), at: Instant(nanoseconds: instant))
    }

    private func beginSession(in index: Int) {
        guard !isDraining, let (user, arrival) = pools[index]?.begin() else { return }
        intend(user, at: arrival)
        wake(user)
    }

    private func wakeWhenActive(_ user: Int, _ population: Population, _ active: ActiveUsers) {
        let now = simulation.now.nanoseconds
        let number = user - population.users.lowerBound
        guard let moment = active.nextActivity(of: number, from: now) else { return }
        intend(user, at: moment)
        wake(user, at: moment)
    }

    /// Notes the intended beginning of a user's next journey, whenever it then begins.
    private func intend(_ user: Int, at moment: Int64) {
        users[user].intended = moment
        users[user].isIntended = true
    }

    /// Ends a visit, leaving the app open or closed by force; the load decides when the next one
    /// begins.
    func leave(
        _ user: Int, _ population: Population, isForced: Bool = false, isGivenUp: Bool = false
    ) {
        endJourney(of: user)
        users[user].isVisiting = false
        users[user].isOpen = !isForced
        // A visit without anything to do has used up its intended beginning.
        users[user].isIntended = false
        apps[user]?.visitEnded()
        observer.visitEnded(user: user, isGivenUp: isGivenUp)
        switch population.load {
        case .closed(let pacing, let active):
            leaveClosed(user, population, pacing: pacing, active)
        case .open(_, let probability, _, _):
            let stream = choices.continuation.stream(number: streamKey(user))
            if stream.chance(probability, at: UInt64(users[user].journeysBegun)) {
                wake(user, afterNanoseconds: away(user, population))
            } else {
                let index = numbers.population(of: user)
                pools[index]?.release(user)
                beginSession(in: index)
            }
        }
    }

    private func leaveClosed(
        _ user: Int, _ population: Population, pacing: Int64?, _ active: ActiveUsers?
    ) {
        var next = simulation.now.nanoseconds
        if let pacing {
            intend(user, at: users[user].intended + pacing)
            next = max(next, users[user].intended)
        } else {
            next += away(user, population)
        }
        let number = user - population.users.lowerBound
        guard let active else { return wake(user, at: next) }
        guard let moment = active.nextActivity(of: number, from: next) else { return }
        // A user who was sent home does not come back late.
        if moment > next, pacing != nil { intend(user, at: moment) }
        wake(user, at: moment)
    }

    private func away(_ user: Int, _ population: Population) -> Int64 {
        let stream = choices.away.stream(number: streamKey(user))
        return population.settings.away.sample(stream, at: UInt64(users[user].journeysBegun))
    }
}

/// The streams of users' choices, one for each kind of choice.
struct Choices {
    let arrival, journey, step, think, away, continuation: RandomStream

    init(_ root: RandomStream) {
        arrival = root.stream("user.arrival")
        journey = root.stream("user.journey")
        step = root.stream("user.step")
        think = root.stream("user.think")
        away = root.stream("user.away")
        continuation = root.stream("user.continue")
    }
}

/// The number of steps that a fleet has begun, and of those that are over.
struct StepCounts {
    var begun: Int64 = 0
    /// Steps that ended by themselves.
    var ended: Int64 = 0
    /// Steps that their users gave up.
    var hung: Int64 = 0
    /// Steps that were given up and ended later.
    var endedLate: Int64 = 0

    /// Steps that run now.
    var running: Int64 { begun - ended - hung }
    /// Steps with running code, even if their users have given up.
    var open: Int64 { begun - ended - endedLate }
}
