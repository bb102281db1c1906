/// The number of workers behind one line, if the times fit one line at all.
///
/// With the right number, the work on requests is independent of how many others were there when
/// they came: too few workers make work look shorter the more were there, too many leave waiting in
/// it. So for each number of workers the work of all requests that came together is compared with
/// the requests that were there when they came, among the same calls. The number with the least
/// dependence is chosen, and the rest of it shows if one line before equal workers explains the
/// times (generalised method of moments: Hansen, Econometrica 1982; each candidate with weights of
/// its own: Hansen, Heaton and Yaron, Journal of Business & Economic Statistics 1996). It assumes
/// no distribution of the work, nor an order of simultaneous requests, since their sum does not
/// depend on it.
struct WorkerCount {
    private let queue: QueueTimes
    private var groups: [Group] = []
    /// The number of groups of each kind.
    private var kinds: [Double] = []
    /// The most requests that were there at once.
    private var most = 1
    private var cache: [Int: Fit] = [:]

    /// Requests that came at one instant.
    private struct Group {
        private let first, count, kindNumber: Int32
        /// The number of requests that were there before, and of those of the same calls.
        let before, alike: Int32
        /// The sum of their times in the system, in nanoseconds.
        let span: Double

        init(_ places: Range<Int>, kind: Int, before: Int, alike: Int, span: Double) {
            (first, count) = (Int32(places.lowerBound), Int32(places.count))
            (kindNumber, self.before, self.alike) = (Int32(kind), Int32(before), Int32(alike))
            self.span = span
        }

        var places: Range<Int> { Int(first)..<Int(first) + Int(count) }
        var kind: Int { Int(kindNumber) }
        var level: Double { Double(before) + Double(count) }
    }

    /// The fit of a number of workers to the times.
    struct Fit {
        /// Hansen's statistic: the unexplained part, in units of random error.
        let statistic: Double
        /// The statistic of the first condition alone: work is independent of how many waited.
        let first: Double
        /// The number of conditions.
        let conditions: Int
        /// The unexplained part beyond chance, as a share of the time in the system and in
        /// nanoseconds per request; both root mean squares.
        let share, nanoseconds: Double
        /// The effective number of moments at which a request had to wait.
        let moments: Double
    }

    /// The result for the number of workers.
    enum Answer {
        case found(Int, ClosedRange<Int>)
        /// No waiting: as many workers as requests explain the times as well, and so do all from
        /// the least on, if there is one.
        case noneWaited(least: Int?)
        /// No number explains the times, or too few moments tell; this number is the nearest.
        case unclear(nearest: Int, Misfit)
    }

    /// The reason for which the times do not tell the number of workers.
    enum Misfit: Equatable {
        /// The share of the time in the system that stays unexplained.
        case unexplained(Double)
        /// The number of requests that left before as many earlier ones as there are workers: first
        /// come, first served, all of those and one more would have been in work.
        case overtaking(Int)
        /// The number of moments at which a request had to wait, which is too small.
        case fewMoments(Int)
    }

    private static let requestsMin = 200
    /// The fewest groups for a condition.
    private static let supportMin = 20.0
    /// Twice the loss of log-likelihood at the ends of a 95 % interval.
    private static let drop = 3.84
    /// That loss for one interval in a thousand that misses.
    private static let surely = 10.83
    /// The normal quantile for one false alarm in a thousand.
    private static let alarm = 3.0902
    /// The normal quantile for one in a hundred.
    private static let doubt = 2.3263
    /// A smaller unexplained share does not matter: models are compared within a tenth.
    private static let shareMin = 0.01
    /// The share of the clock's step that the clock may explain.
    private static let clockShare = 0.25
    /// One request in this many may leave too early; clocks and threads are not exact.
    private static let overtakingOneIn = 5_000
    /// The fewest moments of waiting for the laws of large numbers.
    private static let momentsMin = 80.0

    init(_ queue: QueueTimes) {
        self.queue = queue
        var departures = queue.requests.map { (ended: $0.ended, call: $0.call) }
        departures.sort { $0.ended < $1.ended }
        var (numbers, present) = ([[Int32]: Int](), [Int32: Int]())
        var (first, left) = (0, 0)
        let requests = queue.requests
        groups.reserveCapacity(requests.count)
        while first < requests.count {
            var end = first + 1
            while end < requests.count, requests[end].began == requests[first].began { end += 1 }
            while left < departures.count, departures[left].ended <= requests[first].began {
                present[departures[left].call, default: 0] -= 1
                left += 1
            }
            let members = requests[first..<end]
            most = max(most, end - left)
            // A refusal is another kind of work, and a request given up has no measured work.
            if !members.contains(where: { TimeOut.cutOff.contains($0.status) }) {
                let kind = members.map { $0.call << 1 | ($0.status / 100 == 4 ? 1 : 0) }.sorted()
                let number = numbers[kind] ?? kinds.count
                numbers[kind] = number
                if number == kinds.count { kinds.append(0) }
                kinds[number] += 1
                let alike = Set(members.map(\.call)).reduce(0) { $0 + max(0, present[$1] ?? 0) }
                groups.append(
                    Group(
                        first..<end, kind: number, before: max(0, first - left), alike: alike,
                        span: members.reduce(0) { $0 + Double($1.ended - $1.began) }))
            }
            for member in members { present[member.call, default: 0] += 1 }
            first = end
        }
    }

    /// The conditions when a group came, and then its work for some workers.
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
        (row[2], row[3]) = (Double(group.before), group.level == Double(workers) ? 1 : 0)
        let alike = Double(group.alike)
        (row[4], row[5]) = (alike, beyond > 0 ? alike : 0)
        row[Self.work] = group.span - waited
        return row / Double(group.places.count).squareRoot()
    }

    func fit(_ workers: Int) -> Fit {
        let rows = rows(workers)
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
            // The group is itself in the mean that was subtracted.
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

    /// The rows of all groups, without the mean of their kind.
    private func rows(_ workers: Int) -> [Row] {
        var rows = groups.map { row($0, workers) }
        var means = kinds.map { _ in Row(repeating: 0) }
        for (row, group) in zip(rows, groups) { means[group.kind] += row / kinds[group.kind] }
        for (index, group) in groups.enumerated() { rows[index] -= means[group.kind] }
        return rows
    }

    private mutating func known(_ workers: Int) -> Fit {
        let known = cache[workers] ?? fit(workers)
        cache[workers] = known
        return known
    }

    /// The number of workers.
    mutating func answer() -> Answer {
        guard most > 1, queue.requests.count >= Self.requestsMin else {
            return .noneWaited(least: nil)
        }
        var best = nearest(\.statistic)
        var limit = known(best).statistic + Self.drop
        // Prefers, among numbers that explain the times as well, one that overtaking allows.
        let least = (best...most).first { overtaking($0) == nil } ?? most
        if known(least).statistic < limit { best = least }
        if let misfit = misfit(best) {
            // If the conditions contradict each other, the one about the length of lines decides.
            return .unclear(nearest: nearest(\.first), misfit)
        }
        limit = known(best).statistic + Self.drop
        let without = known(most)
        // Without waiting, no parameter is estimated.
        let chance = Self.quantile(Self.doubt, freedom: without.conditions)
        guard without.statistic > min(limit, chance) else {
            return .noneWaited(least: fewest(best))
        }
        var (low, high) = (best, best)
        while low > 1, known(low - 1).statistic < limit, overtaking(low - 1) == nil { low -= 1 }
        while high < most, known(high + 1).statistic < limit { high += 1 }
        guard high < most else { return .noneWaited(least: fewest(best)) }
        let moments = known(best).moments
        return moments < Self.momentsMin
            ? .unclear(nearest: best, .fewMoments(Int(moments))) : .found(best, low...high)
    }

    /// The least number that may be the right one.
    ///
    /// Times that do not tell the number often speak a little against the right one, so that the
    /// limit of 95 % would leave it out in more than one log of twenty.
    private mutating func fewest(_ best: Int) -> Int {
        let limit = known(best).statistic + Self.surely
        for workers in 1..<max(1, best)
        where overtaking(workers) == nil && known(workers).statistic < limit { return workers }
        return best
    }

    /// The evidence against a number of workers: the unexplained share of the time in the system,
    /// if it is more than chance and more than `shareMin`, or requests that left earlier than they
    /// could.
    mutating func misfit(_ workers: Int) -> Misfit? {
        if let count = overtaking(workers) { return .overtaking(count) }
        let fit = known(workers)
        // One degree of freedom went into the number.
        let limit = Self.quantile(Self.alarm, freedom: fit.conditions - 1)
        let clock = Self.clockShare * Double(queue.resolution)
        return fit.statistic > limit && fit.share > Self.shareMin && fit.nanoseconds > clock
            ? .unexplained(fit.share) : nil
    }

    /// The number of requests that left earlier than that number of workers allows; `nil` if clocks
    /// explain it.
    private func overtaking(_ workers: Int) -> Int? {
        let count = queue.overtaking.dropFirst(workers).reduce(0, +)
        return count > max(3, queue.requests.count / Self.overtakingOneIn) ? count : nil
    }

    /// The quantile of chi-squared at a normal quantile (Wilson and Hilferty 1931).
    private static func quantile(_ normal: Double, freedom: Int) -> Double {
        let freedom = Double(max(1, freedom))
        let part = 2 / (9 * freedom)
        let root = 1 - part + normal * part.squareRoot()
        return freedom * root * root * root
    }

    /// The number of workers with the least left over, searched in ever smaller steps.
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
