import SquallKernel
import SquallReport

/// What the load offered, and what is left of it: the fleet's side of the measurement's law.
extension Fleet {
    /// How many visits a population's load has offered so far, computed from its plan and not from
    /// the visits; `nil` where users begin by themselves, so that every visit begun was offered.
    ///
    /// For an open load it follows from the arrivals, for a paced one from when its users came;
    /// with stages it also depends on how late users are when they are sent home.
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

    /// How many users are between the beginning and the end of a visit.
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

    /// When visits of a paced load's user should have begun and did not.
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

/// How long visits have waited by the end of a load that offered them and began none of them.
///
/// There may be hundreds of millions, too many for one call each when a run is stopped.
struct VisitWaits {
    /// How long each has waited.
    let delays: Histogram
    /// When each was to begin, in order.
    private let since: ArraySlice<Int64>
    private let end: Int64

    init(since: ArraySlice<Int64>, until end: Int64) {
        self.since = since
        self.end = end
        var delays = Histogram()
        delays.record(from: since, to: end)
        self.delays = delays
    }

    /// How many have waited for longer than a span.
    func count(longerThan nanoseconds: Int64) -> Int64 {
        var (low, high) = (since.startIndex, since.endIndex)
        while low < high {
            let middle = (low + high) / 2
            if end - since[middle] > nanoseconds { low = middle + 1 } else { high = middle }
        }
        return Int64(low - since.startIndex)
    }
}
