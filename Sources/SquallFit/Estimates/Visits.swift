import SquallFormat
import Foundation

/// What users do, as the log shows it: how many there are, how they come, and their journeys.
struct Visits {
    /// How many users there are.
    let people: Int
    let screens: Screens
    let pauses: Pauses
    /// How long a screen is looked at, and how long a user is away; nil if unknown.
    let thinking: FittedLaw?
    let away: FittedLaw?
    /// Whether most users who were away came back during the log.
    let isAwayKnown: Bool
    /// The mean pause between two visits: the look at the last screen, and the absence.
    let betweenVisits: Estimate?
    /// Journeys over screens and how often each was taken, the most frequent first.
    let journeys: [(screens: [Int], count: Int)]
    /// When visits began, in order.
    let begins: [Int64]
    /// The mean number of visits per user.
    var returns: Double { Double(begins.count) / Double(max(1, people)) }
    /// The mean number of screens per visit.
    var meanScreens: Double {
        let count = journeys.reduce(0) { $0 + $1.count }
        let sum = journeys.reduce(0) { $0 + $1.count * $1.screens.count }
        return count == 0 ? 1 : Double(sum) / Double(count)
    }
    /// How often each screen follows a screen; the last index is the end of the visit.
    let transitions: [[Int]]
    /// The network's time both ways, in nanoseconds; nil if no screen shows it.
    let network: Estimate?
    /// The most visits at once.
    let concurrentMax: Int
    /// The share of complete visits with a journey that is exactly in ``journeys``; the others are
    /// sampled from every n-th user.
    let exactShare: Double

    /// The most journeys in a profile.
    static let journeysMax = 60
    private static let stepsMax = 400
    /// The network's time if no screen shows it: this is an ordinary phone; a phone on the move has
    /// a quarter of a second.
    static let networkAssumed = 80e6

    init(
        _ people: [ArraySlice<LoggedRequest>], _ tokens: TokenTraffic,
        span: (first: Int64, last: Int64), isExact: Bool = true
    ) {
        self.people = people.count
        screens = Screens(people, tokens, isExact: isExact)
        let turns = screens.turns.sorted()
        network =
            turns.count < 20
            ? nil
            : Estimate(
                turns.quantile(0.5),
                low: turns.quantile(0.5 - 0.98 / Double(turns.count).squareRoot()),
                high: turns.quantile(min(1, 0.5 + 0.98 / Double(turns.count).squareRoot())),
                count: turns.count)
        var pauses = Pauses(
            screens, network: network?.value ?? Self.networkAssumed, from: span.first,
            until: span.last, isExact: isExact)
        let looks = pauses.looks(until: span.last)
        let (absences, isKnown) = pauses.absences(looks)
        self.pauses = pauses
        isAwayKnown = isKnown && !tokens.lacksLines
        thinking = FittedLaw(looks, isKnown: pauses.areToldApart && !tokens.lacksLines)
        let mean = Estimate(meanOf: absences, isKnown: isAwayKnown)
        // Pauses that may be of either kind make absences as much too long or too short.
        betweenVisits = absences.isEmpty ? nil : mean.extended(by: pauses.doubt * mean.value)
        // The user also looks at the last screen before leaving.
        away =
            absences.isEmpty
            ? nil
            : FittedLaw(absences, less: looks, doubt: pauses.doubt, isKnown: isAwayKnown)
        let sessions = Self.sessions(screens, pauses, span)
        begins = sessions.map(\.began).sorted()
        concurrentMax = ServerTimes.mostAtOnce(begins, sessions.map(\.ended).sorted())
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

    /// The journeys that were taken.
    ///
    /// If there are too many, they are sampled in even steps: each stands for its neighbours, so
    /// orders and lengths keep their shares (resampled sessions, as Krishnamurthy, Rolia and
    /// Majumdar, IEEE TSE 2006).
    private static func journeys(
        _ ways: [[Int]]
    ) -> (journeys: [(screens: [Int], count: Int)], exactShare: Double) {
        var counts: [[Int]: Int] = [:]
        for way in ways { counts[way, default: 0] += 1 }
        func isBefore(_ left: [Int], _ right: [Int]) -> Bool {
            left.lexicographicallyPrecedes(right)
        }
        let order = counts.ordered {
            $0.value != $1.value ? $0.value > $1.value : isBefore($0.key, $1.key)
        }
        let frequent = order.prefix(journeysMax / 2).filter { $0.value * 200 >= ways.count }
        let exact = frequent.reduce(0) { $0 + $1.value }
        var list = frequent.map { (screens: $0.key, count: $0.value) }
        let rest = order.dropFirst(frequent.count).flatMap { way in
            Array(repeating: way.key, count: way.value)
        }.ordered { isBefore($0, $1) }
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
