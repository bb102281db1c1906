import Foundation
import SquallFormat

/// The pauses between a person's screens, told apart: those in which somebody looks at a screen,
/// and those in which they are away.
///
/// Which of the two a pause is shows in its length and in the two screens it lies between: what
/// ends a visit and what begins one (``PauseKinds``).
struct Pauses {
    /// A pause between two screens of one person.
    struct Pause {
        let person: Int
        /// The position of the screen it follows among the person's.
        let index: Int
        let from, to: Int
        let began: Int64
        let span: Double
    }

    let all: [Pause]
    /// The pauses that had not ended when the log did: after which screen, and how long so far.
    private let going: [(from: Int, span: Double)]
    /// For each, whether somebody was away.
    private(set) var isAway: [Bool]
    /// Whether two kinds of pauses were found; else only the longest are taken for being away.
    private(set) var areTwoKinds = false
    /// How many pauses could be of either kind, as a share of the rarer kind.
    private(set) var doubt = 0.0
    /// Whether the two kinds were told apart, so that what is said of each has an interval.
    var areToldApart: Bool { doubt < 0.1 }
    /// So far from an end of the log, in nanoseconds, no look lasts all the time: who
    /// was not seen before came then, and who is not seen any more left.
    private(set) var margin: Int64 = 0

    /// Where nothing tells visits apart, half an hour does, as web analytics have it.
    static let conventional = 1_800e9

    init(_ screens: Screens, network: Double, from start: Int64, until end: Int64) {
        var list: [Pause] = []
        for (person, visit) in screens.visits.enumerated() {
            for index in visit.indices.dropFirst() {
                let (before, after) = (visit[index - 1], visit[index])
                // Parts of one burst that stands for two screens.
                guard after.began > before.ended else { continue }
                let span = max(1e6, Double(after.began - before.ended) - network)
                list.append(
                    Pause(
                        person: person, index: index - 1, from: before.screen, to: after.screen,
                        began: before.ended, span: span))
            }
        }
        all = list
        going = screens.visits.compactMap { visit in
            visit.last.map { ($0.screen, Double(end - $0.ended) - network) }
        }.filter { $0.1 > 0 }
        isAway = list.map { $0.span > Self.conventional }
        margin = Self.margin(list, from: start, until: end)
        split(screens, from: start, until: end)
        margin = Self.margin(zip(all, isAway).filter { !$0.1 }.map(\.0), from: start, until: end)
    }

    /// Ten times the median, and half of the log at most.
    private static func margin(_ pauses: [Pause], from start: Int64, until end: Int64) -> Int64 {
        let longest = pauses.map(\.span).sorted().quantile(0.5) * 10
        return min(Int64(min(longest, 1e18)), (end - start) / 2)
    }

    private mutating func split(_ screens: Screens, from start: Int64, until end: Int64) {
        guard all.count >= 50 else { return }
        var (firsts, lasts) = (screens.kinds.map { _ in 0.0 }, screens.kinds.map { _ in 0.0 })
        // Those seen in the first half, and of them those still seen in the last quarter.
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
            all.map { ($0.from, $0.to, $0.span) }, screens: screens.kinds.count, firsts: firsts,
            lasts: lasts)
        guard let away = kinds.away(isThroughout: 2 * late > early) else { return }
        // Drawn by how likely it is: what is likelier would make looks of all short absences.
        var chance = StableHash()
        isAway = all.map { pause in
            chance.mix(UInt64(pause.index))
            let unit = (Double(chance.value >> 11) + 0.5) / 9_007_199_254_740_992
            return unit < away[kinds.cell(pause.from, pause.to, pause.span)]
        }
        areTwoKinds = true
        let likely = all.map { away[kinds.cell($0.from, $0.to, $0.span)] }
        let absent = likely.reduce(0, +)
        let either = likely.reduce(0) { $0 + min($1, 1 - $1) }
        doubt = either / max(1, min(absent, Double(all.count) - absent))
    }

    /// How long screens were looked at, of those pauses that began early enough to be seen whole.
    ///
    /// Near the end of a log only short pauses have an end; taking those alone would make every law
    /// shorter than it is.
    func looks(until end: Int64) -> [Double] {
        let own = zip(all, isAway).filter { !$0.1 }.map(\.0)
        return own.filter { $0.began <= end - margin }.map(\.span)
    }

    /// How long people were away, those counted who had not come back when the log ended.
    ///
    /// Where they are more than those who had, they may never come back: then only what was seen,
    /// of which the law is not known.
    func absences(_ looks: [Double]) -> (spans: [Double], isKnown: Bool) {
        let seen = zip(all, isAway).filter(\.1).map(\.0.span)
        guard areTwoKinds, !seen.isEmpty else { return (seen, false) }
        var shares: [Int: (away: Double, all: Double)] = [:]
        for (pause, away) in zip(all, isAway) {
            shares[pause.from, default: (0, 0)].all += 1
            if away { shares[pause.from, default: (0, 0)].away += 1 }
        }
        let (looks, common) = (looks.sorted(), Double(seen.count) / Double(all.count))
        var spans = seen.sorted()
        // The law decides which of those still going are absences, and they decide the law.
        for _ in 0..<3 {
            let weighed = going.map { pause in
                let own = shares[pause.from] ?? (0, 0)
                let share = (own.away + common) / (own.all + 1)
                let away = share * spans.shareAbove(pause.span)
                let look = (1 - share) * looks.shareAbove(pause.span)
                return (span: pause.span, weight: away + look > 0 ? away / (away + look) : 1)
            }
            guard weighed.reduce(0, { $0 + $1.weight }) <= Double(seen.count) else {
                return (seen, false)
            }
            spans = CensoredSpans(seen, going: weighed).whole
        }
        return (spans, areToldApart)
    }
}

extension [Double] {
    /// The share of sorted numbers that are larger than one, at least a thousandth.
    fileprivate func shareAbove(_ value: Double) -> Double {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] <= value { low = middle + 1 } else { high = middle }
        }
        return Swift.max(0.001, Double(count - low) / Double(Swift.max(1, count)))
    }
}
