import Foundation

/// How many workers there are behind one line, and whether times are those of one line at all.
///
/// With the right number, the work on requests has nothing to do with how many others were there
/// when they came: too few workers leave work that is shorter the more were there, too many leave
/// waiting in it. So for each number of workers the work of all requests that came together is held
/// against what was seen when they came, beside others of the same calls. The number that leaves
/// least is taken, and what it leaves tells whether one line before equal workers explains the
/// times (generalised method of moments: Hansen, Econometrica 1982; each candidate with weights of
/// its own: Hansen, Heaton and Yaron, Journal of Business & Economic Statistics 1996). No law of
/// the work is assumed, nor in which order those that came together stood, since their sum is the
/// same in any.
struct WorkerCount {
    private let queue: QueueTimes
    private var groups: [Group] = []
    /// For each kind of group, how many there are.
    private var kinds: [Double] = []
    /// The most requests that were there at once.
    private var most = 1
    private var cache: [Int: Fit] = [:]

    /// Requests that came at one instant.
    private struct Group {
        let places: Range<Int>
        let kind: Int
        /// How many requests were there before, and how many of those of the same calls.
        let before, alike: Double
        /// The time in system of all of them, in nanoseconds.
        let span: Double

        var level: Double { before + Double(places.count) }
    }

    /// How well a number of workers explains the times.
    struct Fit {
        /// Hansen's statistic: what is left, in units of chance.
        let statistic: Double
        /// The same of the first condition alone: that work has nothing to do with how many waited.
        let first: Double
        /// How many conditions it is of.
        let conditions: Int
        /// What is left as a share of the time in system, chance taken off, and in nanoseconds of a
        /// request; both root mean squares.
        let share, nanoseconds: Double
        /// How many moments tell that somebody had to wait, as far as those are like others.
        let moments: Double
    }

    /// What is known of the number of workers.
    enum Answer {
        case found(Int, ClosedRange<Int>)
        /// As many workers as requests explain the times as well.
        case nobodyWaited
        /// Times are not those of any number, or too few tell; this comes nearest.
        case unclear(nearest: Int, Misfit)
    }

    /// Why times do not tell workers.
    enum Misfit: Hashable {
        /// So much of the time in system is left unexplained.
        case unexplained(Double)
        /// So many requests left before as many that had come earlier as there are workers: first
        /// come, first served, all those would have been at work, and one more.
        case overtaking(Int)
        /// Only at so many moments had anybody to wait.
        case fewMoments(Int)
    }

    private static let requestsMin = 200
    /// Fewer groups than that tell nothing of a condition.
    private static let supportMin = 20.0
    /// Half of this is what a likelihood loses at the ends of an interval of 95 %.
    private static let drop = 3.84
    /// The normal law's quantile for a false alarm in a thousand.
    private static let alarm = 3.0902
    /// The same for one in a hundred.
    private static let doubt = 2.3263
    /// A smaller share of the time in system is no matter: models are compared within a tenth.
    private static let shareMin = 0.01
    /// So much of the clock's step may be the clock.
    private static let clockShare = 0.25
    /// One request in so many may leave earlier than it can; clocks and threads are not exact.
    private static let overtakingOneIn = 5_000
    /// Fewer moments of waiting are not what the laws of large numbers are about.
    private static let momentsMin = 80.0

    init(_ queue: QueueTimes) {
        self.queue = queue
        var departures = queue.requests.map { (ended: $0.ended, call: $0.call) }
        departures.sort { $0.ended < $1.ended }
        var (numbers, present) = ([[Int32]: Int](), [Int32: Int]())
        var (first, left) = (0, 0)
        let requests = queue.requests
        while first < requests.count {
            var end = first + 1
            while end < requests.count, requests[end].began == requests[first].began { end += 1 }
            while left < departures.count, departures[left].ended <= requests[first].began {
                present[departures[left].call, default: 0] -= 1
                left += 1
            }
            let members = requests[first..<end]
            most = max(most, end - left)
            // A refusal is another kind of work; what was given up tells of no work.
            if !members.contains(where: { TimeOut.cutOff.contains($0.status) }) {
                let kind = members.map { $0.call << 1 | ($0.status / 100 == 4 ? 1 : 0) }.sorted()
                let number = numbers[kind] ?? kinds.count
                numbers[kind] = number
                if number == kinds.count { kinds.append(0) }
                kinds[number] += 1
                let alike = Set(members.map(\.call)).reduce(0) { $0 + max(0, present[$1] ?? 0) }
                groups.append(
                    Group(
                        places: first..<end, kind: number, before: Double(max(0, first - left)),
                        alike: Double(alike),
                        span: members.reduce(0) { $0 + Double($1.ended - $1.began) }))
            }
            for member in members { present[member.call, default: 0] += 1 }
            first = end
        }
    }

    /// What was seen when a group came, for so many workers, each a condition; then the work.
    private typealias Row = SIMD8<Double>
    private static let conditions = 0..<6
    private static let work = 6

    private func row(_ group: Group, _ workers: Int) -> Row {
        let beyond = max(0, min(Double(group.places.count), group.level - Double(workers)))
        let waited = group.places.reduce(0.0) {
            $0 + Double(queue.start($1, workers: workers) - queue.requests[$1].began)
        }
        var row = Row(repeating: 0)
        (row[0], row[1]) = (beyond, beyond > 0 ? 1 : 0)
        (row[2], row[3]) = (group.before, group.level == Double(workers) ? 1 : 0)
        (row[4], row[5]) = (group.alike, beyond > 0 ? group.alike : 0)
        row[Self.work] = group.span - waited
        return row / Double(group.places.count).squareRoot()
    }

    /// How well so many workers explain the times.
    func fit(_ workers: Int) -> Fit {
        let rows = centred(groups.map { row($0, workers) })
        let support = Self.conditions.map { column in
            var (squares, fourths) = (0.0, 0.0)
            for row in rows {
                let square = row[column] * row[column]
                squares += square
                fourths += square * square
            }
            return fourths > 0 ? squares * squares / fourths : 0
        }
        let conditions = Self.conditions.filter { support[$0] >= Self.supportMin }
        var sums = [Double](repeating: 0, count: conditions.count)
        var weights = [[Double]](repeating: sums, count: conditions.count)
        var products = weights
        for (row, group) in zip(rows, groups) {
            // The mean that was taken off is of these groups, too.
            let own = kinds[group.kind]
            let work = row[Self.work]
            let square = work * work * own / max(1, own - 1)
            for (one, column) in conditions.enumerated() {
                sums[one] += row[column] * work
                for other in 0...one {
                    let product = row[column] * row[conditions[other]]
                    weights[one][other] += product * square
                    products[one][other] += product
                }
            }
        }
        let times = groups.reduce(0) { $0 + $1.span * $1.span / Double($1.places.count) }
        let requests = groups.reduce(0) { $0 + Double($1.places.count) }
        let explained = SquareForm(products)
        let left = max(0, explained.value(of: sums) - explained.trace(of: weights))
        let form = SquareForm(weights)
        return Fit(
            statistic: form.value(of: sums),
            first: conditions.first == 0
                ? SquareForm([[weights[0][0]]]).value(of: [sums[0]]) : .infinity,
            conditions: form.rank,
            share: (left / max(1, times)).squareRoot(),
            nanoseconds: (left / max(1, requests)).squareRoot(),
            moments: max(support[0], support[1]))
    }

    /// The rows less the mean of their kind.
    private func centred(_ rows: [Row]) -> [Row] {
        var means = kinds.map { _ in Row(repeating: 0) }
        for (row, group) in zip(rows, groups) { means[group.kind] += row / kinds[group.kind] }
        return zip(rows, groups).map { $0 - means[$1.kind] }
    }

    private mutating func known(_ workers: Int) -> Fit {
        let known = cache[workers] ?? fit(workers)
        cache[workers] = known
        return known
    }

    /// The number of workers.
    mutating func answer() -> Answer {
        guard most > 1, queue.requests.count >= Self.requestsMin else { return .nobodyWaited }
        var best = nearest(\.statistic)
        var limit = known(best).statistic + Self.drop
        // Of numbers that explain the times as well, one that overtaking allows.
        let least = (best...most).first { overtaking($0) == nil } ?? most
        if known(least).statistic < limit { best = least }
        if let misfit = misfit(best) {
            // Of conditions that cannot all hold, the one that says how long lines become.
            return .unclear(nearest: nearest(\.first), misfit)
        }
        limit = known(best).statistic + Self.drop
        let without = known(most)
        // Without any waiting no condition has gone into a number.
        let chance = Self.quantile(Self.doubt, freedom: without.conditions)
        guard without.statistic > min(limit, chance) else { return .nobodyWaited }
        var (low, high) = (best, best)
        while low > 1, known(low - 1).statistic < limit, overtaking(low - 1) == nil { low -= 1 }
        while high < most, known(high + 1).statistic < limit { high += 1 }
        guard high < most else { return .nobodyWaited }
        let moments = known(best).moments
        return moments < Self.momentsMin
            ? .unclear(nearest: best, .fewMoments(Int(moments))) : .found(best, low...high)
    }

    /// What speaks against so many workers: the share of the time in system that they leave
    /// unexplained, where it is more than chance and more than `shareMin`, or requests that left
    /// earlier than they could.
    mutating func misfit(_ workers: Int) -> Misfit? {
        if let count = overtaking(workers) { return .overtaking(count) }
        let fit = known(workers)
        // One condition has gone into the number.
        let limit = Self.quantile(Self.alarm, freedom: fit.conditions - 1)
        let clock = Self.clockShare * Double(queue.resolution)
        return fit.statistic > limit && fit.share > Self.shareMin && fit.nanoseconds > clock
            ? .unexplained(fit.share) : nil
    }

    /// How many requests left earlier than they could before so many workers; nil where it is what
    /// clocks make.
    private func overtaking(_ workers: Int) -> Int? {
        let count = queue.overtaking.dropFirst(workers).reduce(0, +)
        return count > max(3, queue.requests.count / Self.overtakingOneIn) ? count : nil
    }

    /// The quantile of chi-squared where the normal law has one (Wilson and Hilferty 1931).
    private static func quantile(_ normal: Double, freedom: Int) -> Double {
        let freedom = Double(max(1, freedom))
        let part = 2 / (9 * freedom)
        return freedom * pow(1 - part + normal * part.squareRoot(), 3)
    }

    /// The number of workers that leaves least, looked for in steps that become smaller.
    private mutating func nearest(_ left: KeyPath<Fit, Double>) -> Int {
        var step = max(1, most / 40)
        var best = most
        for workers in stride(from: 1, to: most, by: step)
        where known(workers)[keyPath: left] < known(best)[keyPath: left] { best = workers }
        while step > 1 {
            step = max(1, step / 2)
            for workers in [best - step, best + step]
            where (1...most).contains(workers)
                && known(workers)[keyPath: left] < known(best)[keyPath: left]
            { best = workers }
        }
        return best
    }
}
