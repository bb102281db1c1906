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
/// Pacheco-Sanchez, IEEE TSE 2015). Which c it is, ``WorkerCount`` tells.
struct ServerTimes {
    /// How many workers there are; nil where no request was seen waiting, where there is not one
    /// line before equal workers, and where somebody said how many.
    private(set) var workers: Estimate?
    /// How many workers the work was worked out for; nil where it is the times as logged.
    private(set) var assumed: Int?
    /// How many requests that is worked out of.
    private(set) var count = 0
    /// Why the times do not tell how many workers there are; nil where they do.
    private(set) var misfit: WorkerCount.Misfit?
    /// How many requests the server had at once at the most.
    private(set) var concurrentMax = 0
    /// The share of requests that waited before so many.
    private(set) var waitedShare = 0.0
    /// The work on each call in nanoseconds, waiting left out; the times as logged where the
    /// number of workers is not known.
    private(set) var services: [Int32: [Double]] = [:]
    /// The variance of each call's mean work that is due to the order of calls that came together.
    private(set) var orderVariances: [Int32: Double] = [:]

    /// Turned away unserved: they were no work.
    private static let turnedAway: Set<Int16> = [429, 503]
    private static let requestsMax = 300_000

    /// Works it out of requests in the order in which they came, for so many workers or as many as
    /// the times tell; the resolution of times is in nanoseconds, and where they are not exact only
    /// times as logged are kept.
    init(_ requests: [LoggedRequest], resolution: Int64, isExact: Bool, workers given: Int? = nil) {
        let served = requests.filter { $0.duration >= 0 && !Self.turnedAway.contains($0.status) }
        guard !served.isEmpty else { return }
        for request in served where !TimeOut.cutOff.contains(request.status) {
            services[request.call, default: []].append(Double(request.duration))
        }
        let window = Self.busiest(served)
        concurrentMax = Self.mostAtOnce(served)
        guard isExact else { return }
        let queue = QueueTimes(window, resolution: resolution)
        count = window.count
        var known = WorkerCount(queue)
        if let given {
            (assumed, misfit) = (given, known.misfit(given))
        } else {
            switch known.answer() {
            case .nobodyWaited: return
            case .unclear(let nearest, let reason): (assumed, misfit) = (nearest, reason)
            case .found(let best, let range):
                assumed = best
                workers = Estimate(
                    Double(best), low: Double(range.lowerBound), high: Double(range.upperBound),
                    count: count)
            }
        }
        guard let assumed else { return }
        waitedShare = queue.waitedShare(assumed)
        (services, orderVariances) = queue.services(
            workers: assumed, isOneLine: misfit == nil)
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
