import SquallFormat
import Foundation

/// The users of a log: their number, their kind of load, and their journeys.
struct Visits {
    /// The number of users.
    let people: Int
    let screens: Screens
    let pauses: Pauses
    /// The kind of load: the same users come back, or visits arrive.
    let kind: LoadKind
    /// The distribution of looks at a screen, and of absences; `nil` if unknown.
    let thinking: FittedLaw?
    /// The looks of a profile with assumed times for the network and others that the log does not
    /// tell, so that a screen and a look together last as long as in the log.
    let written: FittedLaw?
    /// The looks, in the same form, at screens on which users stay for other times.
    let own: [(screen: Int, law: FittedLaw)]
    /// How much single users differ; `nil` where they are not known.
    let spread: UserSpread?
    /// The mean of all looks in that form, in nanoseconds.
    let meanLook: Double
    let away: FittedLaw?
    /// True if most users who were away came back during the log.
    let isAwayKnown: Bool
    /// The mean pause between two visits: the look at the last screen, and the absence.
    let betweenVisits: Estimate?
    /// Journeys over screens with their counts, the most frequent first.
    let journeys: [(screens: [Int], count: Int)]
    /// The beginnings of visits, in order; without those that were there before the log.
    let begins: [Int64]
    /// The moment from which on the beginning of each visit was seen.
    let seenFrom: Int64
    /// The number of screens.
    let screenCount: Int
    /// The mean duration of a visit, in nanoseconds.
    let meanVisit: Double
    /// The mean number of visits per user.
    var returns: Double { Double(visitCount) / Double(max(1, people)) }
    private let visitCount: Int
    /// The mean number of screens from when a user came until they left, even if no user leaves.
    var screensSeen: Double { Double(screenCount) / Double(max(1, visitCount)) }
    /// The mean number of screens per visit.
    var meanScreens: Double {
        let count = journeys.reduce(0) { $0 + $1.count }
        let sum = journeys.reduce(0) { $0 + $1.count * $1.screens.count }
        return count == 0 ? 1 : Double(sum) / Double(count)
    }
    /// The variance of the number of screens of a visit over its squared mean.
    var lengthVariation: Double {
        let count = Double(max(1, journeys.reduce(0) { $0 + $1.count }))
        let squares = journeys.reduce(0.0) {
            $0 + Double($1.count) * Double($1.screens.count) * Double($1.screens.count)
        }
        return max(0, squares / count / (meanScreens * meanScreens) - 1)
    }
    /// The number of times that each screen follows a screen; the last index is the end of the
    /// visit.
    let transitions: [[Int]]
    /// True if each address is one user, as far as tokens or screens at once tell; `nil` where they
    /// do not, and where users are not known by address.
    let isOneUser: Bool?
    /// True if pauses and visits are those of single users.
    let areUsersKnown: Bool
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
    /// The network's time both ways in a profile.
    var networkWritten: Double { network?.value ?? pauses.networkAssumed }

    /// The clock of the log, and the user's options about its load.
    struct Clock {
        let span: (first: Int64, last: Int64)
        var isExact = true
        /// True if lines tell how long they took.
        var hasDurations = true
        /// True if users come back; `nil` to decide by the log.
        var isClosed: Bool?
        /// True if users are known by their addresses only, which several may share.
        var isByAddress = false
    }

    init(_ people: [ArraySlice<LoggedRequest>], _ tokens: TokenTraffic, _ clock: Clock) {
        let span = clock.span
        self.people = people.count
        let screens = Screens(people, tokens, clock)
        self.screens = screens
        let turn = Self.turn(screens.turns)
        network = clock.hasDurations ? turn : nil
        // Without durations the next call's work is in a turn, and so it is in each pause.
        var pauses = Pauses(
            screens, network: turn?.value, from: span.first, until: span.last,
            isExact: clock.isExact)
        let looked = pauses.looks(until: span.last)
        let looks = looked.map(\.span)
        let (absences, isKnown, widening) = pauses.absences(looks)
        isOneUser =
            clock.isByAddress ? tokens.isOneUser ?? Self.isOneUser(screens, pauses, clock) : nil
        areUsersKnown = !tokens.lacksLines && (!clock.isByAddress || isOneUser == true)
        isAwayKnown = isKnown && areUsersKnown
        spread = areUsersKnown ? UserSpread(pauses.all) : nil
        let areLooksKnown = pauses.areToldApart && areUsersKnown
        thinking = FittedLaw(
            looks, widening: Estimate.alikeness(looks, of: looked.lazy.map(\.person)),
            isKnown: areLooksKnown,
            unknown: Self.unknown(
                looks, turn, screens, clock, lost: tokens.lostMax,
                network: pauses.networkAssumed))
        let mean = Estimate(meanOf: absences, isKnown: isAwayKnown).widened(by: widening)
        // Pauses that may be of either kind make absences as much too long or too short.
        let doubt = pauses.doubt * mean.value
        betweenVisits =
            absences.isEmpty
            ? nil
            : mean.extended(
                below: doubt, above: doubt + pauses.unseen * mean.value)
        // The user also looks at the last screen before leaving.
        let apart = ScreenPauses(looked, of: screens.kinds.count)
        let parted = apart.parted(looked)
        let absent = zip(pauses.all, pauses.isAway).filter(\.1).map(\.0)
        away =
            absences.isEmpty
            ? nil
            : FittedLaw(
                absences, less: apart.last(of: parted, before: absent), doubt: pauses.doubt,
                widening: widening,
                isKnown: isAwayKnown)
        let found = Self.sessions(screens, pauses, span)
        let seen = found.filter(\.isBeginSeen)
        screenCount = found.reduce(0) { $0 + $1.screens.count }
        let stay = found.reduce(0.0) { $0 + Double($1.ended - $1.began) }
        meanVisit = stay / Double(max(1, found.count))
        kind = LoadKind(
            LoadKind.Evidence(
                screens: screens, pauses: pauses, looks: looks, absences: absences,
                begins: found.map(\.began).sorted(), span: span,
                meanVisit: meanVisit),
            given: clock.isClosed)
        let isCut = kind.isConstant
        if isCut { pauses.cut(at: Self.anchor(screens)) }
        self.pauses = pauses
        let sessions = isCut ? Self.sessions(screens, pauses, span) : found
        visitCount = found.count
        (begins, seenFrom) =
            seen.count >= 20
            ? (seen.map(\.began).sorted(), span.first + pauses.margin)
            : (found.map(\.began).sorted(), span.first)
        concurrentMax = ServerTimes.mostAtOnce(
            found.map(\.began).sorted(), found.map(\.ended).sorted())
        let whole = sessions.filter(\.isWhole)
        let ways = (whole.count >= 20 ? whole : sessions).map(\.screens)
        (journeys, exactShare) = Self.journeys(ways)
        transitions = Self.transitions(ways, screens.kinds.count)
        let gap =
            network == nil
            ? Self.gap(screens, people, clock, network: pauses.networkAssumed) : 0
        meanLook = looks.isEmpty ? 0 : max(1e6, Moments(looks).mean + gap)
        func law(_ looks: [Double]) -> FittedLaw? {
            let moved = looks.map { max(1e6, $0 + gap) }
            // No look is shorter than nothing, but the others are then shorter: the rate is known.
            let excess = max(1e6, Moments(looks).mean + gap) / Moments(moved).mean
            return FittedLaw(moved.map { $0 * excess }, isKnown: areLooksKnown)
        }
        written = gap == 0 && apart.screens.isEmpty ? thinking : law(parted[apart.screens.count])
        own = zip(apart.screens, parted).compactMap { screen, looks in
            law(looks).map { (screen, $0) }
        }
    }

    /// True if as few screens of an address overlap as those of one user do.
    ///
    /// Two users of half as many screens each would sometimes open theirs at once. Where that could
    /// hardly be seen, nothing is known.
    private static func isOneUser(_ screens: Screens, _ pauses: Pauses, _ clock: Clock) -> Bool? {
        guard clock.isExact, clock.hasDurations, !pauses.isAway.isEmpty else { return nil }
        let bursts = screens.visits.reduce(0) { $0 + $1.count }
        let open = screens.visits.joined().reduce(0.0) { $0 + Double($1.ended - $1.began) }
        let length = open / Double(max(1, bursts))
        let look = pauses.all.map(\.span).sorted().quantile(0.5)
        let expected = Double(bursts) * length / (2 * (length + look))
        guard expected >= 12 else { return nil }
        let share = Double(screens.doubles) / expected
        return share < 0.2 ? true : share > 0.5 ? false : nil
    }

    /// The median turn, with the interval of its rank: users have networks of their own.
    private static func turn(_ turns: [(span: Double, user: Int)]) -> Estimate? {
        guard turns.count >= 20 else { return nil }
        let spans = turns.map(\.span).sorted()
        let median = spans.quantile(0.5)
        let alikeness = Estimate.alikeness(
            turns.map { $0.span < median ? 1 : 0 }, of: turns.map(\.user))
        let error = Estimate.normal / 2 / Double(turns.count).squareRoot() * alikeness
        return Estimate(
            median, low: spans.quantile(max(0, 0.5 - error)),
            high: spans.quantile(min(1, 0.5 + error)), count: turns.count)
    }

    /// The largest unknown parts of each look: the network where no screen shows it, the work on
    /// the call after it where no line tells how long it took, and, where times are whole seconds,
    /// the looks that are missing since two screens of one second look like one, and the parts of
    /// screens that a second hides; and the share of lines that may be lost.
    private static func unknown(
        _ looks: [Double], _ turn: Estimate?, _ screens: Screens, _ clock: Clock, lost: Double,
        network: Double
    ) -> (below: Double, above: Double) {
        let hidden = clock.isExact ? 0 : Double(screens.doubles)
        let share = hidden / (hidden + Double(max(1, looks.count))) + lost
        let missing = screens.blur + Moments(looks).mean * share
        guard !clock.hasDurations else {
            return (missing + (turn == nil ? network : 0), 0)
        }
        // Work and network take no longer than the shortest of pauses that contain them, of which
        // a second tells none.
        let shortest = clock.isExact ? min(workMax, looks.sorted().quantile(0.02)) : workMax
        return turn.map { ($0.value, $0.value) } ?? (missing + network + shortest, 0)
    }

    private static let workMax = 250e6

    /// The time by which screens are longer in the log than with the network, and if need be the
    /// work, that a profile assumes.
    private static func gap(
        _ screens: Screens, _ people: [ArraySlice<LoggedRequest>], _ clock: Clock,
        network: Double
    ) -> Double {
        var (seen, groups, count) = (0.0, 0, 0)
        for burst in screens.visits.joined() {
            seen += Double(burst.ended - burst.began)
            groups += max(1, screens.kinds[burst.screen].groups.count)
            count += 1
        }
        var (sum, known) = (0.0, 0)
        for request in people.joined() where request.duration >= 0 {
            sum += Double(request.duration)
            known += 1
        }
        let work = clock.hasDurations ? sum / Double(max(1, known)) : workAssumed
        let each = Double(groups) / Double(max(1, count))
        return seen / Double(max(1, count)) - each * (network + work)
    }

    /// The work on a call where no line tells any, in nanoseconds.
    static let workAssumed = 20e6

    /// The screen with which most users began.
    private static func anchor(_ screens: Screens) -> Int {
        var counts = [Int](repeating: 0, count: screens.kinds.count)
        for visit in screens.visits { if let first = visit.first { counts[first.screen] += 1 } }
        return counts.indices.max { counts[$0] < counts[$1] } ?? 0
    }

    /// A visit.
    private struct Session {
        var screens: [Int]
        let began: Int64
        var ended: Int64
        /// True if it neither began nor ended with the log.
        var isWhole: Bool
        let isBeginSeen: Bool
    }

    private static func sessions(
        _ screens: Screens, _ pauses: Pauses, _ span: (first: Int64, last: Int64)
    ) -> [Session] {
        var absences = zip(pauses.all, pauses.isAway).lazy.filter(\.1).map(\.0).makeIterator()
        var absence = absences.next()
        var sessions: [Session] = []
        for (person, visit) in screens.visits.enumerated() {
            var own: Session?
            for (index, burst) in visit.enumerated() {
                if own == nil {
                    let isSeen = burst.began > span.first + pauses.margin
                    own = Session(
                        screens: [], began: burst.began, ended: burst.ended,
                        isWhole: index > 0 || isSeen, isBeginSeen: isSeen)
                }
                if own?.screens.count ?? 0 < stepsMax { own?.screens.append(burst.screen) }
                own?.ended = burst.ended
                let isAway = absence?.person == person && absence?.index == index
                if isAway { absence = absences.next() }
                if isAway || screens.leaving.contains(burst.screen), let done = own {
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
