import Foundation
import SquallFormat

/// The pauses between a user's screens, in two kinds: the user looks at a screen, or is away.
///
/// The kind of a pause shows in its length and in the two screens around it: which screen ends a
/// visit and which one begins one (``PauseKinds``).
struct Pauses {
    /// A pause between two screens of one user.
    struct Pause {
        let person: Int
        /// The index of the screen before it among the user's screens.
        let index: Int
        let from, to: Int
        let began: Int64
        let span: Double
    }

    /// All pauses, one user after the other.
    let all: List
    /// The pauses that had not ended when the log did: the screen before, and the length so far.
    private let going: [(from: Int, span: Double)]
    /// For each pause, true if the user was away.
    private(set) var isAway: [Bool]
    /// True if two kinds were found; otherwise only the longest pauses count as absences.
    private(set) var areTwoKinds = false
    /// The share of pauses that could be of either kind, relative to the rarer kind.
    private(set) var doubt = 0.0
    /// True if the kinds are separated well enough for intervals about each.
    var areToldApart: Bool { doubt < 0.1 }
    /// No look lasts this long, in nanoseconds: a user first seen later than this after the log's
    /// beginning came then, and one last seen earlier than this before its end left.
    private(set) var margin: Int64 = 0

    /// True if much of the time away is in absences so long that few of them fit in the log.
    private(set) var hasLongTail = false
    /// The share of the time away that may be missing, in absences too long to be in the log.
    private(set) var unseen = 0.0
    /// The network's time both ways that a profile assumes where no screen shows it: no longer than
    /// the shortest pauses, each of which has it within, in nanoseconds.
    let networkAssumed: Double
    private let span: Double
    /// Absences longer than this share of the log are long.
    private static let long = 0.5
    /// The most time away, as a share, that may be in long absences for a mean to be known: with
    /// more, absences longer than the log, which no log shows, move the mean beyond its interval.
    private static let longMax = 0.05

    /// A network of a smaller part of the median pause than one over this changes no law.
    private static let feltShare = 50.0

    /// The length that separates visits if nothing else does: half an hour, as in web analytics.
    static let conventional = 1_800e9

    init(
        _ screens: Screens, network known: Double?, from start: Int64, until end: Int64,
        isExact: Bool = true
    ) {
        let network = known ?? 0
        let list = List(visits: screens.visits, network: network, isExact: isExact)
        all = list
        networkAssumed =
            isExact ? min(Visits.networkAssumed, list.meanOfShortest) : Visits.networkAssumed
        going = screens.visits.compactMap { visit in
            visit.last.map { ($0.screen, Double(end - $0.ended) - network) }
        }.filter { $0.1 > 0 }
        isAway = list.map { $0.span > Self.conventional }
        span = Double(end - start)
        margin = Self.margin(list, from: start, until: end)
        split(
            screens, from: start, until: end, shortest: isExact ? 200e6 : 1.6e9,
            isNetworkWithin: known == nil && isExact)
        margin = Self.margin(
            zip(all, isAway).lazy.filter { !$0.1 }.map(\.0), from: start, until: end)
    }

    /// The pauses between the screens of users, made when they are asked for: a list of them would
    /// be most of the memory of a fit.
    struct List: Sequence {
        fileprivate let visits: [ArraySlice<Burst>]
        fileprivate let network: Double
        fileprivate let isExact: Bool

        func makeIterator() -> Iterator { Iterator(list: self) }

        /// The length of a pause; within one second a clock of seconds tells none, and any is as
        /// likely.
        func length(_ pause: Pause) -> Double {
            guard !isExact, pause.span < 1e9 else { return pause.span }
            var chance = StableHash()
            chance.mix(UInt64(pause.person) << 32 | UInt64(pause.index))
            return chance.share * 1e9
        }

        /// The mean of each user's shortest pause.
        fileprivate var meanOfShortest: Double {
            let shortest = reduce(into: [Int: Double]()) {
                $0[$1.person] = Swift.min($0[$1.person] ?? .infinity, $1.span)
            }
            return shortest.isEmpty ? .infinity : Moments(shortest.values.sorted()).mean
        }

        struct Iterator: IteratorProtocol {
            fileprivate let list: List
            private var (person, index) = (0, 0)

            fileprivate init(list: List) { self.list = list }

            mutating func next() -> Pause? {
                while person < list.visits.count {
                    let visit = list.visits[person]
                    while visit.startIndex + index + 1 < visit.endIndex {
                        let before = visit[visit.startIndex + index]
                        let after = visit[visit.startIndex + index + 1]
                        index += 1
                        // Skips the parts of one burst that counts as two screens.
                        guard after.began > before.ended || !list.isExact else { continue }
                        return Pause(
                            person: person, index: index - 1, from: before.screen,
                            to: after.screen, began: before.ended,
                            span: Swift.max(1e6, Double(after.began - before.ended) - list.network))
                    }
                    (person, index) = (person + 1, 0)
                }
                return nil
            }
        }
    }

    /// Ten times the median, but at most half of the log.
    private static func margin(
        _ pauses: some Sequence<Pause>, from start: Int64, until end: Int64
    ) -> Int64 {
        let longest = pauses.map(\.span).sorted().quantile(0.5) * 10
        return min(Int64(min(longest, 1e18)), (end - start) / 2)
    }

    private mutating func split(
        _ screens: Screens, from start: Int64, until end: Int64, shortest: Double,
        isNetworkWithin: Bool
    ) {
        guard isAway.count >= 50 else { return }
        let list = all
        // A pause and the network together have no law of a pause, if both are felt.
        let middle = list.map(\.span).sorted().quantile(0.5)
        let isFelt = isNetworkWithin && networkAssumed * Self.feltShare > middle
        let network = isFelt ? networkAssumed : 0
        func length(_ pause: Pause) -> Double { max(1e6, list.length(pause) - network) }
        var (firsts, lasts) = (screens.kinds.map { _ in 0.0 }, screens.kinds.map { _ in 0.0 })
        // Users seen in the first half, and how many of them are still seen in the last quarter.
        var (early, late) = (0, 0)
        for visit in screens.visits {
            guard let first = visit.first, let last = visit.last else { continue }
            if first.began > start + margin { firsts[first.screen] += 1 }
            if last.ended < end - margin { lasts[last.screen] += 1 }
            if first.began < start + (end - start) / 2 {
                early += 1
                if last.ended > end - (end - start) / 4 { late += 1 }
            }
        }
        let kinds = PauseKinds(
            all.lazy.map { ($0.from, $0.to, length($0)) }, screens: screens.kinds.count,
            firsts: firsts, lasts: lasts, shortest: shortest)
        guard let away = kinds.away(isThroughout: 2 * late > early) else { return }
        // Drawn by probability: taking the likelier kind would turn all short absences into looks.
        var chance = StableHash()
        isAway = all.map { pause in
            chance.mix(UInt64(pause.index))
            return chance.share < away[kinds.cell(pause.from, pause.to, length(pause))]
        }
        areTwoKinds = true
        let likely = all.lazy.map { away[kinds.cell($0.from, $0.to, length($0))] }
        let absent = likely.reduce(0, +)
        let either = likely.reduce(0) { $0 + min($1, 1 - $1) }
        doubt = either / max(1, min(absent, Double(isAway.count) - absent))
    }

    /// Ends journeys of users who never leave where they come to a screen again.
    mutating func cut(at screen: Int) {
        isAway = all.map { $0.to == screen }
    }

    /// The times that screens were looked at, from pauses that began early enough to be seen whole.
    ///
    /// Near the end of a log only short pauses have an end; using those alone would make every
    /// distribution too short.
    func looks(until end: Int64) -> some Sequence<Pause> {
        let latest = end - margin
        return zip(all, isAway).lazy.filter { !$0.1 && $0.0.began <= latest }.map(\.0)
    }

    /// The times that users were away, including those who had not come back when the log ended.
    ///
    /// If more had not come back than had, they may never do so; then only absences that ended
    /// count, and their distribution is unknown.
    mutating func absences(
        _ looks: [Double]
    ) -> (spans: [Double], isKnown: Bool, widening: Double) {
        let absent = zip(all, isAway).filter(\.1).map(\.0)
        let seen = absent.map(\.span)
        let alikeness = Estimate.alikeness(seen, of: absent.map(\.person))
        guard areTwoKinds, !seen.isEmpty else { return (seen, false, 1) }
        var shares: [Int: (away: Double, all: Double)] = [:]
        for (pause, away) in zip(all, isAway) {
            shares[pause.from, default: (0, 0)].all += 1
            if away { shares[pause.from, default: (0, 0)].away += 1 }
        }
        let (looks, common) = (looks.sorted(), Double(seen.count) / Double(isAway.count))
        var (spans, widening) = (seen.sorted(), 1.0)
        // The distribution decides which open pauses are absences, and depends on them.
        for _ in 0..<3 {
            let weighed = going.map { pause in
                let own = shares[pause.from] ?? (0, 0)
                let share = (own.away + common) / (own.all + 1)
                let away = share * spans.shareAbove(pause.span)
                let look = (1 - share) * looks.shareAbove(pause.span)
                return (span: pause.span, weight: away + look > 0 ? away / (away + look) : 1)
            }
            guard weighed.reduce(0, { $0 + $1.weight }) <= Double(seen.count) else {
                return (seen, false, 1)
            }
            spans = Self.whole(seen, going: weighed)
            widening = alikeness * Self.widening(seen, going: weighed, whole: spans)
        }
        let long = spans.filter { $0 > Self.long * span }.reduce(0, +)
        hasLongTail = long > Self.longMax * spans.reduce(0, +)
        unseen = spans.last ?? 0 > Self.long * span / 2 ? Self.longMax : 0
        return (spans, areToldApart && !hasLongTail, widening)
    }
}

extension StableHash {
    /// A number between 0 and 1.
    var share: Double { (Double(value >> 11) + 0.5) / 9_007_199_254_740_992 }
}

extension [Double] {
    /// The share of sorted numbers above a value, at least a thousandth.
    func shareAbove(_ value: Double) -> Double {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] <= value { low = middle + 1 } else { high = middle }
        }
        return Swift.max(0.001, Double(count - low) / Double(Swift.max(1, count)))
    }
}
