import SquallFormat
import SquallKernel

/// The kinds of pauses between users' screens, if there are two, and the kind of each pause:
/// looking at a screen, or being away between two visits.
///
/// Three models of a log are compared, each by its largest likelihood less the cost of its
/// parameters (Schwarz, Annals of Statistics 1978):
///
/// - all pauses are looks with one distribution;
/// - all are looks, and some screens also have longer ones;
/// - a visit may end after a screen, and some users come back: after a pause with another
///   distribution, and to a screen with which visits begin.
///
/// The screens with which visits begin and end are also seen where users come for the first and
/// leave for the last time. So long pauses are absences if users come back as they first came, but
/// not if they go on as before; if no user comes back there are none. Parameters are found by
/// expectation and maximisation (Dempster, Laird and Rubin, JRSS B 1977).
struct PauseKinds {
    /// Pauses between the same two screens with about the same length.
    struct Cell {
        let from, to, bin: Int
        let count: Double
    }

    let screens: Int
    private(set) var cells: [Cell] = []
    /// The index of each cell, by screens and length.
    private var places: [Int32]
    /// The number of times that each screen was the first of a user who came during the log, and
    /// the last of a user who left.
    let firsts, lasts: [Double]

    /// The width of a bin: lengths within a twentieth are one.
    static let step = 0.05
    /// The shortest length, a millisecond; the longest bin is three months.
    private static let least = PortableMath.log(1e6)
    static let bins = 460
    private static let fewRounds = 10
    private static let rounds = 100
    private static let goneOn = 3
    private static let freeRounds = 30
    /// The most screens with distributions of looks of their own, and those that are tried.
    private static let (stayingMax, tried) = (3, 8)
    /// The fewest other beginnings of visits that show where they lead.
    private static let leastOthers = 5.0
    /// Iteration ends when the likelihood changes by less than this share.
    private static let change = 1e-7
    /// The least ratio of the mean absence to the mean look.
    private static let leastRatio = 2.5
    /// The least mean absence, in nanoseconds.
    private static let leastAway = 1e9
    /// Distributions this many standard deviations of their logarithms apart have two humps
    /// (Ashman, Bird and Zepf, Astronomical Journal 1994).
    static let humps = 2.0
    /// The gain of likelihood with which a model wins clearly: 20 to 1.
    private static let clearly = 6.0

    /// No mean look is shorter than this many nanoseconds.
    private let shortest: Double

    init(
        _ pauses: some Sequence<(from: Int, to: Int, span: Double)>, screens: Int, firsts: [Double],
        lasts: [Double], shortest: Double = 200e6
    ) {
        self.shortest = shortest
        self.screens = screens
        (self.firsts, self.lasts) = (firsts, lasts)
        var counts = [Int32](repeating: 0, count: screens * screens * Self.bins)
        for pause in pauses {
            counts[Self.place(pause.from, pause.to, pause.span, screens)] += 1
        }
        places = counts
        for (place, count) in counts.enumerated() where count > 0 {
            places[place] = Int32(cells.count)
            let (pair, bin) = place.quotientAndRemainder(dividingBy: Self.bins)
            cells.append(
                Cell(from: pair / screens, to: pair % screens, bin: bin, count: Double(count)))
        }
    }

    private static func place(_ from: Int, _ to: Int, _ span: Double, _ screens: Int) -> Int {
        let bin = Int((PortableMath.log(max(1, span)) - least) / step)
        return (from * screens + to) * bins + min(bins - 1, max(0, bin))
    }

    /// The index of the cell of a pause between two screens.
    func cell(_ from: Int, _ to: Int, _ span: Double) -> Int {
        Int(places[Self.place(from, to, span, screens)])
    }

    /// The logarithm of the middle of a bin.
    static func log(_ bin: Int) -> Double { least + (Double(bin) + 0.5) * step }

    var total: Double { cells.reduce(0) { $0 + $1.count } }

    /// The probability of each cell's pauses to be absences; nil where there are not two kinds.
    ///
    /// If users are present throughout the log, none leaves for good, so the longer of two
    /// distributions may well be that of absences.
    func away(isThroughout: Bool) -> [Double]? {
        let cost = PortableMath.log(total)
        let one =
            PauseLaw.Family.laws.map { family in
                let law = PauseLaw(family, cells, cells.map(\.count))
                return cells.reduce(0) {
                    $0 + $1.count * PortableMath.log(max(1e-300, law.shares[$1.bin]))
                }
            }.max() ?? 0
        let used = Double(Set(cells.map(\.from)).count)
        let mixed = best { mixture($0, rounds: $1) }
        let some = 2 * (mixed?.likelihood ?? -.infinity) - (4 + used) * cost
        let plain = ways + max(2 * one - 2 * cost, some)
        // Users who are there throughout and go on where they stopped tell absences by length only.
        let byLength =
            isThroughout && some > 2 * one - 2 * cost + Self.clearly
            ? mixed.flatMap { haveTwoHumps && areLengths($0) ? $0.long : nil } : nil
        guard var best = best({ solution($0, rounds: $1) }) else { return byLength }
        best = staying(best)
        let own = 2 * best.likelihood - Double(5 + 2 * best.staying.count) * cost
        let isClear = own > plain + Self.clearly
        // Where the order of screens says nothing, two humps decide, or users who never leave.
        let isAsGood = own > plain - Self.clearly && own > ways + 2 * one - 2 * cost + Self.clearly
        guard isClear || isAsGood && (isThroughout || best.distance > Self.humps) else {
            return byLength
        }
        // Where the order of screens tells the kinds apart, their lengths need follow no law: a
        // long tail of one kind is not taken for the other.
        let free = Guess(long: best.long, families: [.seen, .seen], staying: best.staying)
        guard let seen = solution(free, rounds: Self.freeRounds)?.long, areApart(seen) else {
            return best.long
        }
        return seen
    }

    /// True if the shorter of two kinds are looks, and the longer ones much longer.
    private func areLengths(_ guess: Guess) -> Bool {
        let laws = laws(guess.long, guess.families)
        return laws.short.mean > shortest && laws.long.mean >= Self.leastRatio * laws.short.mean
    }
}

/// A guess, and the result from it.
private struct Guess {
    /// The probability of each cell's pauses to have the longer of two distributions.
    var long: [Double]
    /// The families of both.
    let families: [PauseLaw.Family]
    /// The screens of which each has a distribution of looks of its own.
    var staying: [Int] = []
    var likelihood = -Double.infinity
    /// The distance of the two distributions' logarithms, in standard deviations.
    var distance = 0.0
}

/// The models in which no user comes back.
extension PauseKinds {
    /// Twice the log-likelihood of the order of screens if all pauses are looks.
    private var ways: Double {
        var (after, pairs) = (lasts, [Double](repeating: 0, count: screens * screens))
        var looks = [Double](repeating: 0, count: screens)
        for cell in cells {
            after[cell.from] += cell.count
            looks[cell.from] += cell.count
            pairs[cell.from * screens + cell.to] += cell.count
        }
        var sum = Self.likelihood(of: firsts, firsts, firsts.reduce(0, +))
        for screen in 0..<screens {
            let ends = [lasts[screen], looks[screen]]
            let next = Array(pairs[screen * screens..<(screen + 1) * screens])
            sum += Self.likelihood(of: ends, ends, after[screen])
            sum += Self.likelihood(of: next, next, looks[screen])
        }
        return 2 * sum
    }

    /// Repeats rounds, each of which improves a guess and returns its likelihood, until that
    /// changes no more; false if a round fails.
    private func repeated(
        _ guess: inout Guess, _ rounds: Int, _ round: (inout [Double]) -> Double?
    ) -> Bool {
        guess.likelihood = -.infinity
        for _ in 0..<rounds {
            guard let sum = round(&guess.long) else { return false }
            let isSettled = abs(sum - guess.likelihood) <= Self.change * abs(sum)
            guess.likelihood = sum
            if isSettled { break }
        }
        return true
    }

    /// Each screen has its own share of longer looks.
    private func mixture(_ first: Guess, rounds: Int) -> Guess {
        var guess = first
        _ = repeated(&guess, rounds) { long in
            let (longer, shorter) = laws(long, first.families)
            var (some, all) = (
                [Double](repeating: 0, count: screens), [Double](repeating: 0, count: screens)
            )
            for (cell, share) in zip(cells, long) {
                some[cell.from] += share * cell.count
                all[cell.from] += cell.count
            }
            var sum = 0.0
            for (index, cell) in cells.enumerated() {
                let share = some[cell.from] / all[cell.from]
                let first = share * longer.shares[cell.bin]
                let second = (1 - share) * shorter.shares[cell.bin]
                long[index] = first + second > 0 ? first / (first + second) : long[index]
                sum += cell.count * PortableMath.log(max(first + second, 1e-300))
            }
            return sum
        }
        return guess
    }

    /// The best result from all first guesses: a few rounds from each, then more rounds from the
    /// best of those (Biernacki, Celeux and Govaert, Computational Statistics & Data Analysis,
    /// 2003).
    private func best(_ find: (Guess, Int) -> Guess?) -> Guess? {
        func better(_ left: Guess, _ right: Guess) -> Bool { left.likelihood > right.likelihood }
        return starts.compactMap { find($0, Self.fewRounds) }.ordered(by: better)
            .prefix(Self.goneOn).compactMap { find($0, Self.rounds) }.ordered(by: better)
            .first
    }

    /// First guesses: from which length on pauses are long, and the families of distributions.
    ///
    /// The result depends on the first guess, so there are several.
    private var starts: [Guess] {
        var (bins, counts) = ([Int](), [Double](repeating: 0, count: Self.bins))
        for cell in cells { counts[cell.bin] += cell.count }
        for share in [0.4, 0.75, 0.9, 0.97, 0.99] {
            var (sum, bin) = (0.0, 0)
            while bin < Self.bins - 1, sum + counts[bin] < share * total {
                sum += counts[bin]
                bin += 1
            }
            bins.append(bin)
        }
        return bins.flatMap { bin in
            let long = cells.map { $0.bin > bin ? 0.9 : 0.1 }
            return PauseLaw.Family.laws.flatMap { longer in
                PauseLaw.Family.laws.map { Guess(long: long, families: [longer, $0]) }
            }
        }
    }

    /// The laws of longer and of shorter pauses, those at some screens left out of the latter.
    private func laws(
        _ long: [Double], _ families: [PauseLaw.Family], besides staying: [Int] = []
    ) -> (long: PauseLaw, short: PauseLaw) {
        let short = zip(cells, long).map {
            staying.contains($0.from) ? 0 : $0.count * (1 - $1)
        }
        return (
            PauseLaw(families[0], cells, zip(cells, long).map { $0.count * $1 }),
            PauseLaw(families[1], cells, short)
        )
    }
}

/// The model in which some users come back.
extension PauseKinds {
    /// The counts of the beginnings, ends and transitions of visits.
    private struct Chain {
        var begins: [Double]
        /// Absences and looks after each screen.
        var away, looks: [Double]
        var follows: [Double]
    }

    private func chain(_ away: [Double]) -> Chain {
        let none = [Double](repeating: 0, count: screens)
        var chain = Chain(
            begins: firsts, away: none, looks: none,
            follows: [Double](repeating: 0, count: screens * screens))
        for (cell, share) in zip(cells, away) {
            chain.begins[cell.to] += share * cell.count
            chain.away[cell.from] += share * cell.count
            chain.looks[cell.from] += (1 - share) * cell.count
            chain.follows[cell.from * screens + cell.to] += (1 - share) * cell.count
        }
        return chain
    }

    private func solution(_ first: Guess, rounds: Int) -> Guess? {
        var guess = first
        let left = lasts.reduce(0, +)
        var kinds = laws(first.long, first.families)
        var looksAt: [PauseLaw] = []
        let isFound = repeated(&guess, rounds) { away in
            let chain = chain(away)
            let (absences, begins) = (chain.away.reduce(0, +), chain.begins.reduce(0, +))
            guard absences > 5, total - absences > 5 else { return nil }
            kinds = laws(away, first.families, besides: first.staying)
            looksAt = self.looks(kinds.short, away, first)
            let back = absences / (absences + left)
            let ends = (0..<screens).map { screen in
                let ended = chain.away[screen] + lasts[screen]
                return ended / max(1e-9, ended + chain.looks[screen])
            }
            var sum = Self.likelihood(of: firsts, chain.begins, begins)
            for screen in 0..<screens where lasts[screen] > 0 {
                sum += lasts[screen] * PortableMath.log(max(1e-300, ends[screen] * (1 - back)))
            }
            for (index, cell) in cells.enumerated() {
                let looks = max(1e-9, chain.looks[cell.from])
                let first =
                    ends[cell.from] * back * chain.begins[cell.to] / begins
                    * kinds.long.shares[cell.bin]
                let second =
                    (1 - ends[cell.from]) * chain.follows[cell.from * screens + cell.to] / looks
                    * looksAt[cell.from].shares[cell.bin]
                away[index] = first + second > 0 ? first / (first + second) : away[index]
                sum += cell.count * PortableMath.log(max(first + second, 1e-300))
            }
            return sum
        }
        let least = max(Self.leastAway, Self.leastRatio * kinds.short.mean)
        guard isFound, kinds.long.mean >= least else { return nil }
        guess.distance = kinds.long.distance(kinds.short)
        return guess
    }

    /// The distribution of looks at each screen: that of all, or its own.
    private func looks(_ common: PauseLaw, _ away: [Double], _ guess: Guess) -> [PauseLaw] {
        var laws = Array(repeating: common, count: screens)
        for screen in guess.staying {
            let weights = zip(cells, away).map { $0.from == screen ? $0.count * (1 - $1) : 0 }
            laws[screen] = PauseLaw(guess.families[1], cells, weights)
        }
        return laws
    }

    /// A solution, or a clearly better one in which users stay longer at some screens.
    private func staying(_ first: Guess) -> Guess {
        // Schwarz's cost of the two parameters of each law.
        func worth(_ guess: Guess) -> Double {
            guess.likelihood - Double(guess.staying.count) * PortableMath.log(total)
        }
        var best = first
        while best.staying.count < Self.stayingMax {
            let screens = astray(best)
            // Looks that were taken for absences make other screens' seem to lead astray.
            let found = (screens.map { [$0] } + [screens]).compactMap { more in
                var next = Guess(
                    long: best.long, families: best.families, staying: best.staying + more)
                for (index, cell) in cells.enumerated() where more.contains(cell.from) {
                    next.long[index] = 0.1
                }
                return solution(next, rounds: Self.rounds)
            }.max { worth($0) < worth($1) }
            guard let found, worth(found) > worth(best) + Self.clearly / 2 else { break }
            best = found
        }
        return best
    }

    /// The screens after which absences would lead to others than those with which visits begin: a
    /// long look at a sign-in leads to where the sign-in leads.
    private func astray(_ guess: Guess) -> [Int] {
        let begins = chain(guess.long).begins
        var next = [Double](repeating: 0, count: screens * screens)
        for (cell, share) in zip(cells, guess.long) {
            next[cell.from * screens + cell.to] += share * cell.count
        }
        let gains = (0..<screens).compactMap { screen -> (screen: Int, gain: Double)? in
            let own = Array(next[screen * screens..<(screen + 1) * screens])
            let beside = zip(begins, own).map { max(0, $0 - $1) }
            guard !guess.staying.contains(screen), beside.reduce(0, +) > Self.leastOthers else {
                return nil
            }
            let others = beside.map { $0 + 0.5 }
            let gain =
                Self.likelihood(of: own, own, max(1e-9, own.reduce(0, +)))
                - Self.likelihood(of: own, others, others.reduce(0, +))
            return (screen, 2 * gain)
        }
        let cost = Double(screens - 1) * PortableMath.log(total) + Self.clearly
        return gains.filter { $0.gain > cost }.ordered { $0.gain > $1.gain }.prefix(Self.tried)
            .map(\.screen)
    }

    /// The log-likelihood of counts with shares that are weights of a whole.
    private static func likelihood(
        of counts: [Double], _ weights: [Double], _ whole: Double
    ) -> Double {
        zip(weights, counts).reduce(0) {
            $1.1 > 0 ? $0 + $1.1 * PortableMath.log(max(1e-300, $1.0 / whole)) : $0
        }
    }
}
