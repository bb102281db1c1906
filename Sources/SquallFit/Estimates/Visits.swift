import Foundation

/// What people do, as the log shows it: who they are, how they come, and the ways they take.
struct Visits {
    /// How many people there are.
    let people: Int
    let screens: Screens
    let pauses: Pauses
    /// How long a screen is looked at, and how long somebody is away; nil where it is not known.
    let thinking: FittedLaw?
    let away: FittedLaw?
    /// Whether most of those who were away came back while the log went on.
    let isAwayKnown: Bool
    /// The mean pause between two visits: the last screen is looked at, and then somebody is away.
    let betweenVisits: Estimate?
    /// Ways over screens with how often each was taken, the most frequent first.
    let journeys: [(screens: [Int], count: Int)]
    /// How many visits began, and at which instants, in order.
    let begins: [Int64]
    /// How often each of them came, in the mean.
    var returns: Double { Double(begins.count) / Double(max(1, people)) }
    /// What follows a screen, and how often: the last place is the end of the visit.
    let transitions: [[Int]]
    /// Both ways of the network together, in nanoseconds; nil where no screen shows it.
    let network: Estimate?
    /// The most visits at once.
    let concurrentMax: Int
    /// The share of whole visits whose way is among ``journeys`` as it was; the rest are visits of
    /// every n-th person, as they were.
    let exactShare: Double

    /// A profile's journeys.
    static let journeysMax = 60
    private static let stepsMax = 400
    /// Where no screen tells how long the network takes, a quarter of a second is a phone on the
    /// move and this an ordinary one.
    static let networkAssumed = 80e6

    init(
        _ people: [ArraySlice<LoggedRequest>], _ tokens: TokenTraffic,
        span: (first: Int64, last: Int64)
    ) {
        self.people = people.count
        screens = Screens(people, tokens)
        let turns = screens.turns.sorted()
        network =
            turns.count < 20
            ? nil
            : Estimate(
                turns.quantile(0.5),
                low: turns.quantile(0.5 - 0.98 / Double(turns.count).squareRoot()),
                high: turns.quantile(min(1, 0.5 + 0.98 / Double(turns.count).squareRoot())),
                count: turns.count)
        pauses = Pauses(
            screens, network: network?.value ?? Self.networkAssumed, from: span.first,
            until: span.last)
        let looks = pauses.looks(until: span.last)
        let (absences, isKnown) = pauses.absences(looks)
        isAwayKnown = isKnown
        thinking = FittedLaw(looks, isKnown: pauses.areToldApart)
        betweenVisits = absences.isEmpty ? nil : Estimate(meanOf: absences, isKnown: isKnown)
        // The last screen is looked at, too, before somebody leaves.
        away = absences.isEmpty ? nil : FittedLaw(absences, less: looks, isKnown: isKnown)
        let sessions = Self.sessions(screens, pauses, span)
        begins = sessions.map(\.began).sorted()
        concurrentMax = Self.mostAtOnce(sessions)
        let whole = sessions.filter(\.isWhole)
        let ways = (whole.count >= 20 ? whole : sessions).map(\.screens)
        (journeys, exactShare) = Self.journeys(ways)
        transitions = Self.transitions(ways, screens.kinds.count)
    }

    /// A visit.
    private struct Session {
        var screens: [Int]
        let began: Int64
        var ended: Int64
        /// Whether it neither began nor ended with the log.
        var isWhole: Bool
    }

    private static func sessions(
        _ screens: Screens, _ pauses: Pauses, _ span: (first: Int64, last: Int64)
    ) -> [Session] {
        var isAway: [Int: Set<Int>] = [:]
        for (pause, away) in zip(pauses.all, pauses.isAway) where away {
            isAway[pause.person, default: []].insert(pause.index)
        }
        var sessions: [Session] = []
        for (person, visit) in screens.visits.enumerated() {
            let ends = isAway[person] ?? []
            var own: Session?
            for (index, burst) in visit.enumerated() {
                if own == nil {
                    own = Session(
                        screens: [], began: burst.began, ended: burst.ended,
                        isWhole: index > 0 || burst.began > span.first + pauses.margin)
                }
                if own?.screens.count ?? 0 < stepsMax { own?.screens.append(burst.screen) }
                own?.ended = burst.ended
                if ends.contains(index), let done = own {
                    sessions.append(done)
                    own = nil
                }
            }
            if var last = own {
                if last.ended > span.last - pauses.margin { last.isWhole = false }
                sessions.append(last)
            }
        }
        return sessions
    }

    private static func mostAtOnce(_ sessions: [Session]) -> Int {
        var changes = sessions.flatMap { [($0.began, 1), ($0.ended, -1)] }
        changes.sort { ($0.0, $0.1) < ($1.0, $1.1) }
        var (now, most) = (0, 0)
        for change in changes {
            now += change.1
            most = max(most, now)
        }
        return most
    }

    /// The ways that were taken.
    ///
    /// Where there are too many, so many of them in even steps: each
    /// stands for its neighbours, and orders and lengths keep their shares (resampled sessions,
    /// as Krishnamurthy, Rolia and Majumdar, IEEE TSE 2006).
    private static func journeys(
        _ ways: [[Int]]
    ) -> (journeys: [(screens: [Int], count: Int)], exactShare: Double) {
        var counts: [[Int]: Int] = [:]
        for way in ways { counts[way, default: 0] += 1 }
        func isBefore(_ left: [Int], _ right: [Int]) -> Bool {
            left.lexicographicallyPrecedes(right)
        }
        let order = counts.sorted {
            $0.value != $1.value ? $0.value > $1.value : isBefore($0.key, $1.key)
        }
        let frequent = order.prefix(journeysMax / 2).filter { $0.value * 200 >= ways.count }
        let exact = frequent.reduce(0) { $0 + $1.value }
        var list = frequent.map { (screens: $0.key, count: $0.value) }
        let rest = order.dropFirst(frequent.count).flatMap { way in
            Array(repeating: way.key, count: way.value)
        }.sorted { isBefore($0, $1) }
        let places = min(rest.count, journeysMax - list.count)
        for place in 0..<max(0, places) {
            let (from, to) = (place * rest.count / places, (place + 1) * rest.count / places)
            list.append((screens: rest[(from + to) / 2], count: to - from))
        }
        return (list, ways.isEmpty ? 0 : Double(exact) / Double(ways.count))
    }

    private static func transitions(_ ways: [[Int]], _ screens: Int) -> [[Int]] {
        var table = Array(repeating: Array(repeating: 0, count: screens + 1), count: screens)
        for way in ways {
            for (index, screen) in way.enumerated() {
                table[screen][index + 1 < way.count ? way[index + 1] : screens] += 1
            }
        }
        return table
    }
}
