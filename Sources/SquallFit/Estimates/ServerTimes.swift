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
    /// The variance of each call's mean work that is due to the order of calls that came together.
    private(set) var orderVariances: [Int32: Double] = [:]
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
        for request in served where !TimeOut.cutOff.contains(request.status) {
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
        (services, orderVariances) = whole.services(workers: best.workers)
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
