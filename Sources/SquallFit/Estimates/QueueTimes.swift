import Foundation
import SquallFormat

/// When work on requests began, for any number of workers.
struct QueueTimes {
    private let requests: [LoggedRequest]
    private let ends: [Int64]
    private let resolution: Int64
    private var cache: [Int: Double] = [:]
    /// A line may be left by the side: timeouts, or a server that is not quite first come first
    /// served.
    private static let impossibleShareMax = 0.1
    /// What such a time costs, more than it gains by being short.
    private static let impossibleCost = 6.0
    /// Below this share of requests that waited, those few are looked at more closely.
    private static let seldom = 0.1
    private static let judgedMax = 50_000
    /// By how much a likelihood may be off because of the orders that were drawn.
    private static let orderNoise = 6.0
    /// Times below this are none.
    private let least: Int64

    init(_ requests: [LoggedRequest], resolution: Int64) {
        self.requests = Self.inLine(requests)
        self.resolution = resolution
        ends = requests.map(\.ended).sorted()
        let spans = requests.map(\.duration).sorted()
        least = max(resolution, spans.isEmpty ? 0 : spans[spans.count / 2] / 100)
    }

    /// What two clocks of microseconds make of one instant, in nanoseconds.
    private static let together: Int64 = 2_000

    /// The requests in the order in which they stood in line: of those that came together, as far
    /// as the clock tells, the one that left first is taken to have stood first.
    private static func inLine(_ requests: [LoggedRequest]) -> [LoggedRequest] {
        var (line, first) = (requests, Int64.min)
        for index in line.indices {
            let began = line[index].began
            if index > 0, began - first <= Self.together {
                line[index].duration += began - first
                line[index].began = first
            } else {
                first = began
            }
        }
        return line.sorted { ($0.began, $0.ended) < ($1.began, $1.ended) }
    }

    /// When work on a request began.
    private func start(_ index: Int, workers: Int) -> Int64 {
        index < workers
            ? requests[index].began : max(requests[index].began, ends[index - workers])
    }

    /// How many times are none at all, beyond those that were logged so: those of requests that
    /// would have left before work on them began.
    private func impossible(workers: Int) -> Double {
        let none = requests.indices.count {
            requests[$0].ended - start($0, workers: workers) <= least
        }
        return Double(none - requests.count { $0.duration <= least })
    }

    /// How likely the times are that so many workers would have taken, as a logarithm.
    private mutating func likelihood(workers: Int) -> Double {
        if let known = cache[workers] { return known }
        var sums: [Int32: (count: Double, sum: Double, square: Double)] = [:]
        for index in requests.indices {
            let span = requests[index].ended - start(index, workers: workers)
            let log = Foundation.log(Double(max(span, least, 1)))
            let old = sums[requests[index].call] ?? (0, 0, 0)
            sums[requests[index].call] = (old.count + 1, old.sum + log, old.square + log * log)
        }
        let leastVariance = 1e-4
        var value = -Self.impossibleCost * impossible(workers: workers)
        for (_, sum) in sums.sorted(by: { $0.key < $1.key }) where sum.count > 1 {
            let mean = sum.sum / sum.count
            let variance = max(leastVariance, sum.square / sum.count - mean * mean)
            value -= sum.sum + sum.count / 2 * Foundation.log(variance)
        }
        cache[workers] = value
        return value
    }

    /// The number of workers; nil where waiting was not seen.
    mutating func workers(
        upTo most: Int
    ) -> (workers: Int, low: Int, high: Int, waitedShare: Double)? {
        guard most > 1, requests.count >= 200 else { return nil }
        let tolerated = Self.impossibleShareMax * Double(requests.count)
        var (low, high) = (1, most)
        while low < high {
            let middle = (low + high) / 2
            if impossible(workers: middle) > tolerated {
                low = middle + 1
            } else {
                high = middle
            }
        }
        let least = low
        guard least < most else { return nil }
        var best = least
        let span = most - least
        for workers in stride(from: least, through: most, by: max(1, span / 40))
        where likelihood(workers: workers) > likelihood(workers: best) { best = workers }
        var step = max(1, span / 40)
        while step > 1 {
            step = max(1, step / 2)
            for workers in [best - step, best + step]
            where workers >= least && workers <= most
                && likelihood(workers: workers) > likelihood(workers: best)
            { best = workers }
        }
        let top = likelihood(workers: best)
        // No request waited where as many workers as requests explain it as well.
        guard top > likelihood(workers: most) + 10 else { return nil }
        var ends = (low: best, high: best)
        while ends.low > least, likelihood(workers: ends.low - 1) > top - 1.92 { ends.low -= 1 }
        while ends.high < most, likelihood(workers: ends.high + 1) > top - 1.92 { ends.high += 1 }
        if waitedShare(best) < Self.seldom {
            let others = inAnyOrder(best, least, most)
            ends = (min(ends.low, others.lowerBound), max(ends.high, others.upperBound))
        }
        return (best, ends.low, ends.high, waitedShare(best))
    }

    private func waitedShare(_ workers: Int) -> Double {
        let waited = requests.indices.count {
            start($0, workers: workers) > requests[$0].began + 2 * resolution
        }
        return Double(waited) / Double(max(1, requests.count))
    }

    /// The numbers of workers that are likely where those that came together stood in any order.
    ///
    /// Where so few wait, the few that do decide. That the one that left last is the one that
    /// waited makes workers look too few, and any order makes them look too many.
    private func inAnyOrder(_ first: Int, _ least: Int, _ most: Int) -> ClosedRange<Int> {
        let own = QueueTimes(Array(requests.prefix(Self.judgedMax)), resolution: resolution)
        let candidates = (max(least, first - 2)...min(most, first + 4)).map { workers in
            var order = QueueOrder(
                own.requests, own.requests.indices.map { own.start($0, workers: workers) })
            order.shuffle()
            let cost = Self.impossibleCost * own.impossible(workers: workers)
            return (workers: workers, likelihood: order.meanLikelihood - cost)
        }
        let top = candidates.map(\.likelihood).max() ?? 0
        let near = candidates.filter { $0.likelihood > top - Self.orderNoise }.map(\.workers)
        return (near.min() ?? first)...(near.max() ?? first)
    }

    /// What the work on each call took, and the variance of its mean that is due to orders that are
    /// not known.
    func services(
        workers: Int
    ) -> (times: [Int32: [Double]], variances: [Int32: Double]) {
        var order = QueueOrder(requests, requests.indices.map { start($0, workers: workers) })
        order.draw()
        var services: [Int32: [Double]] = [:]
        for (request, start) in order.inLine where !TimeOut.cutOff.contains(request.status) {
            let span = request.ended - start
            guard span >= -2 * resolution else { continue }
            services[request.call, default: []].append(Double(max(span, 0)))
        }
        return (services, order.variances)
    }
}
