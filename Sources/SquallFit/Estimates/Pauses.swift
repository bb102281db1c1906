import Foundation

/// The pauses between a person's screens, told apart: those in which somebody looks at a screen,
/// and those in which they are away.
///
/// Two laws are mixed, and which of them a pause is of shows in its length and in the two screens
/// it lies between: what ends a visit and what begins one. Both are found together by expectation
/// and maximisation (Dempster, Laird and Rubin, JRSS B 1977).
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

    /// Where nothing tells visits apart, half an hour does, as web analytics have it.
    static let conventional = 1_800e9
    private static let rounds = 60
    /// Being away must be so many times as long as looking, on average.
    private static let leastRatio = 2.5

    init(_ screens: Screens, network: Double, until end: Int64) {
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
        split()
    }

    private struct Pair: Hashable {
        let from, to: Int
    }

    private mutating func split() {
        guard all.count >= 50 else { return }
        let sorted = all.map(\.span).sorted()
        // Begun apart at several places, since the first guess decides what is found.
        let starts = [0.5, 0.75, 0.9, 0.97].map { sorted.quantile($0) }
        let solutions = starts.compactMap { solution(from: $0) }
        guard let best = solutions.max(by: { $0.likelihood < $1.likelihood }) else { return }
        isAway = best.away.map { $0 > 0.5 }
        areTwoKinds = true
        settlePairs()
    }

    /// Between two screens that nearly always lie in one visit, or nearly never, the length says
    /// no more.
    private mutating func settlePairs() {
        var tables: [Pair: (away: Int, all: Int)] = [:]
        for (pause, away) in zip(all, isAway) {
            tables[Pair(from: pause.from, to: pause.to), default: (0, 0)].all += 1
            if away { tables[Pair(from: pause.from, to: pause.to), default: (0, 0)].away += 1 }
        }
        for index in all.indices {
            guard let table = tables[Pair(from: all[index].from, to: all[index].to)],
                table.all >= Self.settledMin
            else { continue }
            if table.away * 100 >= table.all * Self.settledPercent { isAway[index] = true }
            if table.away * 100 <= table.all * (100 - Self.settledPercent) { isAway[index] = false }
        }
    }

    private static let settledMin = 20
    private static let settledPercent = 85

    /// How likely each pause is one of being away; nil where there are not two kinds.
    private func solution(from start: Double) -> (away: [Double], likelihood: Double)? {
        var away = all.map { $0.span > start ? 0.9 : 0.1 }
        let logs = all.map { Foundation.log($0.span) }
        let pairs = all.map { Pair(from: $0.from, to: $0.to) }
        var likelihood = -Double.infinity
        for _ in 0..<Self.rounds {
            let weight = away.reduce(0, +)
            let total = Double(all.count)
            guard weight > 5, total - weight > 5 else { return nil }
            let long = Normal(logs, away)
            let short = Normal(logs, away.map { 1 - $0 })
            var tables: [Pair: (away: Double, all: Double)] = [:]
            for (index, pair) in pairs.enumerated() {
                tables[pair, default: (0, 0)].away += away[index]
                tables[pair, default: (0, 0)].all += 1
            }
            var sum = 0.0
            for index in all.indices {
                guard let table = tables[pairs[index]] else { continue }
                // Half a pause of each kind beforehand, so that no pair is ruled out.
                let prior = (table.away + 0.5 * weight / total) / (table.all + 0.5)
                let first = prior * long.density(logs[index])
                let second = (1 - prior) * short.density(logs[index])
                away[index] = first + second > 0 ? first / (first + second) : away[index]
                sum += Foundation.log(max(first + second, 1e-300))
            }
            guard abs(sum - likelihood) > 1e-6 * abs(sum) else { break }
            likelihood = sum
        }
        let means = [true, false].map { isLong -> Double in
            let spans = zip(all, away).filter { ($0.1 > 0.5) == isLong }.map(\.0.span)
            return spans.isEmpty ? 0 : spans.reduce(0, +) / Double(spans.count)
        }
        guard means[1] > 0, means[0] >= Self.leastRatio * means[1] else { return nil }
        return (away, likelihood)
    }

    /// A normal law of logarithms, by weighted moments.
    private struct Normal {
        let mean, variance: Double

        init(_ values: [Double], _ weights: [Double]) {
            let total = weights.reduce(0, +)
            let mean = zip(values, weights).reduce(0) { $0 + $1.0 * $1.1 } / total
            self.mean = mean
            variance = max(
                0.01,
                zip(values, weights).reduce(0) { $0 + $1.1 * ($1.0 - mean) * ($1.0 - mean) } / total
            )
        }

        func density(_ value: Double) -> Double {
            Foundation.exp(-(value - mean) * (value - mean) / (2 * variance))
                / variance.squareRoot()
        }
    }

    /// How long screens were looked at, of those pauses that began early enough to be seen whole.
    ///
    /// Near the end of a log only short pauses have an end; taking those alone would make every law
    /// shorter than it is.
    func looks(until end: Int64) -> [Double] {
        let own = zip(all, isAway).filter { !$0.1 }.map(\.0)
        guard let first = own.map(\.began).min() else { return [] }
        let longest = own.map(\.span).sorted().quantile(0.5) * 10
        let margin = min(Int64(min(longest, 1e18)), (end - first) / 2)
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
        return (spans, true)
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
