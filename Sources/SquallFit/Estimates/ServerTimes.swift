import Foundation

/// What a server's work on each call is, and how many calls it works on at once, worked out of when
/// requests came and when they were answered.
///
/// With one line, first come first served, before c workers, a request begins when it has come and
/// all but c − 1 of those before it have left. So for each c the log says when work on each request
/// began, without any model of the times themselves (Larson, "The queue inference engine",
/// Management Science 1990, in the case in which departures are seen; for response times that were
/// logged: Kraft, Pacheco-Sanchez, Casale and Dawson, "Estimating service resource consumption from
/// response time measurements", VALUETOOLS 2009, and for several workers Pérez, Casale and
/// Pacheco-Sanchez, IEEE TSE 2015). The number of workers is the one that makes the times so found
/// likeliest, as logarithms around each call's mean: too few make some negative, too many leave
/// waiting in them.
struct ServerTimes {
    /// How many workers there are; nil where no request was seen waiting.
    private(set) var workers: Estimate?
    /// How many requests the server had at once at the most.
    private(set) var concurrentMax = 0
    /// The mean number of requests at the server at once, by Little's law.
    private(set) var concurrentMean = 0.0
    /// The share of requests that waited, when the workers are as many as was found.
    private(set) var waitedShare = 0.0
    /// The work on each call in nanoseconds, waiting left out.
    private(set) var services: [Int32: [Double]] = [:]
    /// The times as logged of each call.
    private(set) var responses: [Int32: [Double]] = [:]

    /// Turned away unserved: they were no work.
    private static let turnedAway: Set<Int16> = [429, 503]
    private static let requestsMax = 300_000
    private static let workersMax = 4_096

    /// Works it out of requests in the order in which they came; the resolution of their times is
    /// in nanoseconds, and where they are not exact only times as logged are kept.
    init(_ requests: [LoggedRequest], resolution: Int64, isExact: Bool) {
        let served = requests.filter { $0.duration >= 0 && !Self.turnedAway.contains($0.status) }
        guard let first = served.first else { return }
        for request in served {
            responses[request.call, default: []].append(Double(request.duration))
        }
        let end = served.reduce(first.ended) { max($0, $1.ended) }
        let busy = served.reduce(0.0) { $0 + Double($1.duration) }
        concurrentMean = busy / Double(max(1, end - first.began))
        let window = Self.busiest(served)
        concurrentMax = Self.mostAtOnce(served)
        guard isExact else {
            services = responses
            return
        }
        var queue = QueueTimes(window, resolution: resolution)
        guard let best = queue.workers(upTo: min(Self.workersMax, Self.mostAtOnce(window))) else {
            services = responses
            return
        }
        workers = Estimate(
            Double(best.workers), low: Double(best.low), high: Double(best.high),
            count: window.count)
        waitedShare = best.waitedShare
        let whole = QueueTimes(
            served.count > Self.requestsMax ? window : served, resolution: resolution)
        services = whole.services(workers: best.workers)
    }

    /// So many requests one after the other as can be looked at, where they come fastest.
    private static func busiest(_ requests: [LoggedRequest]) -> [LoggedRequest] {
        guard requests.count > requestsMax else { return requests }
        var best = (from: 0, span: Int64.max)
        for from in stride(from: 0, through: requests.count - requestsMax, by: requestsMax / 10) {
            let span = requests[from + requestsMax - 1].began - requests[from].began
            if span < best.span { best = (from, span) }
        }
        return Array(requests[best.from..<best.from + requestsMax])
    }

    static func mostAtOnce(_ requests: [LoggedRequest]) -> Int {
        let ends = requests.map(\.ended).sorted()
        var (left, most) = (0, 0)
        for (index, request) in requests.enumerated() {
            while left < ends.count, ends[left] <= request.began { left += 1 }
            most = max(most, index + 1 - left)
        }
        return most
    }
}

/// When work on requests began, for any number of workers.
private struct QueueTimes {
    private let requests: [LoggedRequest]
    private let ends: [Int64]
    private let resolution: Int64
    private var cache: [Int: Double] = [:]
    /// A line may be left by the side: timeouts, or a server that is not quite first come first
    /// served.
    private static let impossibleShareMax = 0.1
    /// What such a time costs, more than it gains by being short.
    private static let impossibleCost = 6.0
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
    /// as the clock tells, the one that left first stood first.
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
        // Nobody waited where as many workers as requests explain it as well.
        guard top > likelihood(workers: most) + 10 else { return nil }
        var ends = (low: best, high: best)
        while ends.low > least, likelihood(workers: ends.low - 1) > top - 1.92 { ends.low -= 1 }
        while ends.high < most, likelihood(workers: ends.high + 1) > top - 1.92 { ends.high += 1 }
        let waited = requests.indices.count {
            start($0, workers: best) > requests[$0].began + 2 * resolution
        }
        let share = Double(waited) / Double(requests.count)
        return (best, ends.low, ends.high, share)
    }

    /// What the work on each call took.
    func services(workers: Int) -> [Int32: [Double]] {
        var services: [Int32: [Double]] = [:]
        for index in requests.indices {
            let span = requests[index].ended - start(index, workers: workers)
            guard span >= -2 * resolution else { continue }
            services[requests[index].call, default: []].append(Double(max(span, 0)))
        }
        return services
    }
}
