import Foundation
import SquallFormat

/// A server's work on each call and its number of workers, from the times of requests and their
/// responses.
///
/// In one line, first come first served, before c workers, work on a request begins when it has
/// come and all but c − 1 of the earlier ones have left. So for each c the log tells the beginning
/// of work on each request, without any model of the times (Larson, "The queue inference engine",
/// Management Science 1990, in the case of known departures; for logged response times: Kraft,
/// Pacheco-Sanchez, Casale and Dawson, "Estimating service resource consumption from response time
/// measurements", VALUETOOLS 2009, and for several workers Pérez, Casale and Pacheco-Sanchez, IEEE
/// TSE 2015). ``WorkerCount`` finds c.
struct ServerTimes {
    /// The number of workers; nil if no request was seen waiting, if times do not fit one line
    /// before equal workers, and if the number was given.
    private(set) var workers: Estimate?
    /// The number of workers that the work was computed for; nil if the work is the logged times.
    private(set) var assumed: Int?
    /// The number of requests used.
    private(set) var count = 0
    /// The reason for which the times do not tell the number of workers; `nil` where they do.
    private(set) var misfit: WorkerCount.Misfit?
    /// The most requests that the server had at once.
    private(set) var concurrentMax = 0
    /// True if the kept times are those of work; with unknown workers a wait may be in them.
    private(set) var isWorkKnown = false
    private static let enough = 200
    /// The share of requests that waited, for that number of workers.
    private(set) var waitedShare = 0.0
    /// The most that the mean of the times may be too long, since waits are in them that are not
    /// clear, and too short, since less time than was taken out was a wait; in nanoseconds.
    private(set) var unknownWait = (below: 0.0, above: 0.0)
    /// The work on each call in nanoseconds, without waiting; the logged times if the number of
    /// workers is unknown.
    var services: [Int32: [Double]] = [:]
    /// The number of requests of each call, of which ``services`` may have a part.
    private(set) var counts: [Int32: Int] = [:]
    /// The variance of each call's mean work due to the unknown order of simultaneous calls.
    private(set) var orderVariances: [Int32: Double] = [:]

    /// The statuses of requests that were rejected without any work, or became a connection.
    private static let turnedAway: Set<Int16> = [101, 429, 503]
    /// The duration from which a request is a stream, and no work: an hour.
    static let longest: Int64 = 3_600_000_000_000
    private static let requestsMax = 150_000

    /// Computes the work for a given number of workers or the one that the times tell; the
    /// resolution is in nanoseconds, and if times are inexact, only the logged times are kept.
    init(
        _ requests: some Collection<LoggedRequest>, resolution: Int64, isExact: Bool,
        workers given: Int? = nil
    ) {
        let served = requests.lazy.filter {
            (0...Self.longest).contains($0.duration) && !Self.turnedAway.contains($0.status)
        }
        let begins = Self.sorted(served, \.began)
        guard !begins.isEmpty else { return }
        for request in served where !TimeOut.cutOff.contains(request.status) {
            services[request.call, default: []].append(Double(request.duration))
        }
        counts = services.mapValues(\.count)
        guard isExact else {
            // The most that there may have been, so that what a screen asks for at once does not
            // wait for itself in a profile.
            concurrentMax = Self.mostAtOnce(
                Self.sorted(served) { $0.ended / Self.second * Self.second - $0.duration },
                Self.sorted(served) { ($0.ended / Self.second + 1) * Self.second })
            return
        }
        concurrentMax = Self.mostAtOnce(begins, Self.sorted(served, \.ended))
        let queue = QueueTimes(Self.busiest(served, begins), resolution: resolution)
        count = queue.requests.count
        isWorkKnown = given != nil || concurrentMax <= 1 || count >= Self.enough
        var known = WorkerCount(queue)
        if let given {
            (assumed, misfit) = (given, known.misfit(given))
        } else {
            switch known.answer() {
            case .noneWaited(let least):
                unknownWait.below = least.map(queue.meanWait) ?? 0
                return
            case .unclear(let nearest, let reason): (assumed, misfit) = (nearest, reason)
            case .found(let best, let range):
                assumed = best
                let wait = queue.meanWait(best)
                unknownWait = (
                    queue.meanWait(range.lowerBound) - wait, wait - queue.meanWait(range.upperBound)
                )
                workers = Estimate(
                    Double(best), low: Double(range.lowerBound), high: Double(range.upperBound),
                    count: count)
            }
        }
        guard let assumed else { return }
        if misfit != nil { isWorkKnown = false }
        waitedShare = queue.waitedShare(assumed)
        (services, orderVariances) = queue.services(
            workers: assumed, isOneLine: misfit == nil)
    }

    /// The run of requests with the fastest arrivals, as long as can be analysed, in their order.
    private static func busiest(
        _ requests: some Collection<LoggedRequest>, _ begins: [Int64]
    ) -> [LoggedRequest] {
        var best = (from: 0, span: Int64.max)
        for from in stride(from: 0, through: begins.count - requestsMax, by: requestsMax / 10) {
            let span = begins[from + requestsMax - 1] - begins[from]
            if span < best.span { best = (from, span) }
        }
        let first = begins[best.from]
        let last = begins[min(begins.count, best.from + requestsMax) - 1]
        var run = requests.filter { (first...last).contains($0.began) }
        run.sort {
            ($0.began, $0.duration, $0.person, $0.call) < (
                $1.began, $1.duration, $1.person, $1.call
            )
        }
        let before = best.from - (begins.firstIndex(of: first) ?? best.from)
        return before == 0 && run.count <= requestsMax
            ? run : Array(run.dropFirst(before).prefix(requestsMax))
    }

    /// A time of each request, in order; as large a list would take three times as much if it grew.
    private static func sorted(
        _ requests: some Collection<LoggedRequest>, _ time: (LoggedRequest) -> Int64
    ) -> [Int64] {
        var times: [Int64] = []
        times.reserveCapacity(requests.count)
        for request in requests { times.append(time(request)) }
        times.sort()
        return times
    }

    /// The times of all calls with the shares that calls have: those of calls that come together
    /// are fewer among times that are certain.
    func mixed(_ services: [Int32: [Double]], calls: Int) -> [Double] {
        let served = services.filter { $0.key < calls }.ordered { $0.key < $1.key }
        func share(_ call: Int32, of times: [Double]) -> Double {
            Double(times.count) / Double(max(1, counts[call] ?? 1))
        }
        let kept = served.filter { $0.value.count >= Self.commonMin }.map(share).min() ?? 1
        return served.flatMap { call, times -> [Double] in
            let wanted = (kept * Double(counts[call] ?? 0)).rounded()
            let count = min(times.count, max(1, Int(wanted)))
            return (0..<count).map { times[(2 * $0 + 1) * times.count / (2 * count)] }
        }
    }

    private static let commonMin = 30
    private static let second: Int64 = 1_000_000_000

    /// The most spans that were under way at once, by their sorted beginnings and ends.
    static func mostAtOnce(_ begins: [Int64], _ ends: [Int64]) -> Int {
        var (left, most) = (0, 0)
        for (index, began) in begins.enumerated() {
            while left < ends.count, ends[left] <= began { left += 1 }
            most = max(most, index + 1 - left)
        }
        return most
    }
}
