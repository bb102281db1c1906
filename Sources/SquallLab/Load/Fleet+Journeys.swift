import SquallApps
import SquallKernel

/// The beginnings of journeys, and what follows them.
extension Fleet {
    func scheduleArrivals(of index: Int) {
        let population = populations[index]
        switch population.load {
        case .open(let process, _, _):
            pools[index] = SessionPool(process, users: population.users, share)
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

    /// When a user of a closed load without stages comes for the first time.
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
        if case .open(_, _, .refuse) = populations[index].load, pools[index]?.hasFree == false {
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

    /// Notes when a user's next journey is meant to begin, whenever it then does.
    private func intend(_ user: Int, at moment: Int64) {
        users[user].intended = moment
        users[user].isIntended = true
    }

    /// Ends a visit, leaving the app open or closed by force; the load decides what comes next.
    func leave(
        _ user: Int, _ population: Population, isForced: Bool = false, isGivenUp: Bool = false
    ) {
        endJourney(of: user)
        users[user].isVisiting = false
        users[user].isOpen = !isForced
        // A visit without anything to do has used up its intended beginning.
        users[user].isIntended = false
        users[user].app?.visitEnded()
        observer.visitEnded(user: user, isGivenUp: isGivenUp)
        switch population.load {
        case .closed(let pacing, let active):
            leaveClosed(user, population, pacing: pacing, active)
        case .open(_, let probability, _):
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
