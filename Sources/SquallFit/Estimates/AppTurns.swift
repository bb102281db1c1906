import SquallFormat
import SquallKernel

/// Pairs of calls where the second mostly follows the end of the first at once, so that the app
/// makes it by itself, and the longest pause of each.
///
/// Users whose pauses are as short look alike, but go on for ever: an app that continues by itself
/// comes to an end. So of pairs that make a circle the ones with the longest pauses are the users',
/// unless these pauses have two humps, of which the shorter ones are the app's.
struct AppTurns {
    private struct Pair: Hashable {
        let from, to: Screens.Symbol
    }

    /// How often a call followed another one.
    private struct Follow {
        /// After its end: in all, within the longest pause of an app, within the usual one, and
        /// late within the longest.
        var counts = SIMD4<Int>.zero
        /// Before its end.
        var overlaps = 0
        /// The sums of the logarithms of usual pauses and of their squares.
        private var sums = SIMD2<Double>.zero

        mutating func add(_ gap: Int64) {
            let (near, isSoon) = (gap < AppTurns.most ? 1 : 0, gap < AppTurns.usual)
            counts &+= SIMD4(1, near, isSoon ? 1 : 0, gap >= AppTurns.most / 2 ? near : 0)
            guard isSoon else { return }
            let log = PortableMath.log(Double(max(1_000_000, gap)))
            sums += SIMD2(log, log * log)
        }

        /// The mean of the logarithms of usual pauses, and their variance.
        var middle: Double { sums.x / Double(max(1, counts.z)) }
        private var variance: Double {
            max(0, sums.y / Double(max(1, counts.z)) - middle * middle)
        }

        /// True if pauses are clearly shorter than others: as two humps, or all about as long.
        func isShorter(than other: Follow) -> Bool {
            let apart = other.middle - middle
            let humps = PauseKinds.humps * PauseKinds.humps * (variance + other.variance) / 2
            return apart > AppTurns.apart
                && (apart * apart > humps || isEven && 4 * variance < other.variance)
        }

        var isEven: Bool { variance < AppTurns.evenMax }
        /// True if enough of the calls came after the end of the others to tell who made them.
        var isSequence: Bool { counts.x >= AppTurns.least && counts.x * 10 >= overlaps }
    }

    private var longest: [Pair: Int64] = [:]

    /// The longest pause before an app continues by itself, in nanoseconds.
    private static let usual: Int64 = 500_000_000
    static let most: Int64 = 5_000_000_000
    /// The least ratio of pauses of a user to those of the app in the same circle, as a logarithm.
    private static let apart = PortableMath.log(1.5)
    /// The fewest calls, one after the other, that tell whose pauses these are.
    private static let least = 10
    /// The largest variance of the logarithms of pauses that are all about as long.
    private static let evenMax = 0.25

    /// Finds the pairs in the ways of users.
    ///
    /// Calls that were sent at once do not follow each other, and come in any order. The order
    /// within a second says nothing of which call came first, so there both count.
    init(_ ways: some Sequence<[LoggedRequest]>, _ clock: Visits.Clock) {
        var follows: [Pair: Follow] = [:]
        Self.visit(ways, clock.isExact) { pair, gap in
            guard let gap else { return follows[pair, default: Follow()].overlaps += 1 }
            follows[pair, default: Follow()].add(gap)
        }
        if !clock.isExact {
            for (pair, follow) in follows where pair.from < pair.to {
                let back = Pair(from: pair.to, to: pair.from)
                var both = follow
                both.counts &+= follows[back]?.counts ?? .zero
                (follows[pair], follows[back]) = (both, both)
            }
        }
        longest = follows.compactMapValues { Self.longest($0.counts) }
        if clock.isExact { leaveToUsers(follows, ways, clock) }
    }

    /// The longest pause of the app between two calls; 0 if users make all.
    subscript(from: LoggedRequest, to: LoggedRequest) -> Int64 {
        longest[Pair(from: Screens.Symbol(from), to: Screens.Symbol(to))] ?? 0
    }

    /// Visits each pair of calls that follow each other, with the pause between them; without one
    /// where the second began before the first ended.
    private static func visit(
        _ ways: some Sequence<[LoggedRequest]>, _ isExact: Bool, _ body: (Pair, Int64?) -> Void
    ) {
        for way in ways {
            var end = Int64.min
            for (index, request) in way.enumerated() {
                if index > 0 {
                    let isAfter = !isExact || request.began >= end
                    body(
                        Pair(from: Screens.Symbol(way[index - 1]), to: Screens.Symbol(request)),
                        isAfter ? request.began - end : nil)
                }
                end = max(end, request.ended)
            }
        }
    }

    /// The longest pause of the app; `nil` if users make most.
    ///
    /// Where others of the pair's pauses are spread far beyond half a second, users make them, as
    /// where the next screen begins with the same call.
    private static func longest(_ count: SIMD4<Int>) -> Int64? {
        let (all, near, soon, late) = (count.x, count.y, count.z, count.w)
        guard soon > 0, soon * 2 >= all else { return nil }
        let isSpread = (near - soon) * 20 > near && late * 10 > near - soon
        return isSpread ? usual : most
    }

    /// Takes the pairs of circles that users make.
    private mutating func leaveToUsers(
        _ follows: [Pair: Follow], _ ways: some Sequence<[LoggedRequest]>, _ clock: Visits.Clock
    ) {
        var next: [Screens.Symbol: Set<Screens.Symbol>] = [:]
        // Calls at once are steps of a circle, in any order.
        for (pair, follow) in follows where follow.overlaps > follow.counts.x {
            next[pair.from, default: []].insert(pair.to)
            next[pair.to, default: []].insert(pair.from)
        }
        let order = longest.keys.filter { follows[$0]?.isSequence ?? false }.ordered {
            let (left, right) = (follows[$0]?.middle ?? 0, follows[$1]?.middle ?? 0)
            return left != right ? left < right : ($0.from, $0.to) < ($1.from, $1.to)
        }
        var closing: [Pair] = []
        for pair in order {
            if Self.reached(from: pair.to, next).contains(pair.from) {
                closing.append(pair)
            } else {
                next[pair.from, default: []].insert(pair.to)
            }
        }
        // Without durations calls at once seem to follow each other, after any time.
        let even = closing.filter { !clock.hasDurations || follows[$0]?.isEven ?? false }
        let ends = Self.ends(Set(even.map(\.from)), ways)
        for pair in closing where !ends.contains(pair.from) {
            longest[pair] = nil
            guard let own = follows[pair] else { continue }
            let after = Self.reached(from: pair.to, next)
            for other in order
            where follows[other].map({ !$0.isShorter(than: own) }) ?? false
                && !ends.contains(other.from) && after.contains(other.from)
                && Self.reached(from: other.to, next).contains(pair.from)
            { longest[other] = nil }
        }
    }

    /// The calls that follow one, directly or not, and it.
    private static func reached(
        from first: Screens.Symbol, _ next: [Screens.Symbol: Set<Screens.Symbol>]
    ) -> Set<Screens.Symbol> {
        var (seen, open) = (Set([first]), [first])
        while let one = open.popLast() {
            open += next[one, default: []].filter { seen.insert($0).inserted }
        }
        return seen
    }

    /// Of some calls those after which pauses have two humps, the app's and the users': where the
    /// same call follows a few times, and then a look.
    private static func ends(
        _ calls: Set<Screens.Symbol>, _ ways: some Sequence<[LoggedRequest]>
    ) -> Set<Screens.Symbol> {
        guard !calls.isEmpty else { return [] }
        var gaps: [Screens.Symbol: [Double]] = [:]
        var chance = StableHash()
        visit(ways, true) { pair, gap in
            guard let gap, calls.contains(pair.from) else { return }
            // Short pauses of a coarse clock have a hump for each of its steps.
            chance.mix(UInt64(truncatingIfNeeded: gap))
            gaps[pair.from, default: []].append(Double(gap) + chance.share * 2e6)
        }
        return calls.filter { call in
            PauseKinds(
                gaps[call, default: []].lazy.map { (0, 0, $0) }, screens: 1, firsts: [0],
                lasts: [0]
            ).haveTwoHumps
        }
    }
}
