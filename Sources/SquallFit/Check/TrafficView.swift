import SquallFormat
import SquallKernel

/// The rates and percentiles of an access log, of a log or of a model.
struct TrafficView {
    let seconds: Double
    let rate: Double
    /// The mean number of requests at once, by Little's law.
    let concurrency: Double
    let refreshes: Double
    /// The responses of 5xx per second; nil where the lines do not tell the status.
    let failures: Double?
    /// False if the lines do not tell how long requests took.
    let hasTimes: Bool
    /// The time in which 95 of 100 requests got their response, in nanoseconds.
    let p95: Double
    let calls: [Call]
    let minuteRates: [(place: Double, height: Double)]
    let minuteTimes: [(place: Double, height: Double)]

    /// The times of a call, sorted.
    struct Call {
        let index: Int
        /// Verb and path.
        let name: String
        /// Requests per second.
        let rate: Double
        let times: [Double]

        /// True if a histogram of the logarithms has two peaks with a valley between them.
        var hasTwoHumps: Bool {
            guard times.count >= 200, let first = times.first, let last = times.last, first > 0,
                last > 2 * first
            else { return false }
            let (low, high) = (PortableMath.log(first), PortableMath.log(last))
            var bins = [Double](repeating: 0, count: 24)
            for time in times {
                let share = (PortableMath.log(time) - low) / (high - low)
                bins[min(23, Int(share * 24))] += 1
            }
            let least = Double(times.count) * 0.01
            for valley in 1..<23 {
                let (left, right) = (
                    bins[..<valley].max() ?? 0, bins[(valley + 1)...].max() ?? 0
                )
                if min(left, right) > least * 2, bins[valley] < 0.5 * min(left, right) {
                    return true
                }
            }
            return false
        }
    }

    /// Measures a log, or what of it came from a moment on.
    init(_ log: TrafficLog, from first: Int64? = nil) {
        let start = first ?? log.reading.span.first
        seconds = max(1, Double(log.reading.span.last - start) / 1e9)
        let requests = log.requests.lazy.filter { $0.began >= start }
        concurrency = log.concurrency(from: start)
        (minuteRates, minuteTimes) = Self.minutes(log, requests, from: start, seconds)
        var (all, refused, renewed) = (0.0, 0.0, 0.0)
        var times: [Int32: (weight: Double, each: [Double])] = [:]
        for request in requests {
            let weight = Double(log.weight(of: request))
            all += weight
            if Int(request.call) == log.refreshCall { renewed += weight }
            if request.status >= 500 { refused += weight }
            guard request.duration >= 0 else { continue }
            times[request.call, default: (0, [])].weight += weight
            times[request.call]?.each.append(Double(request.duration))
        }
        (rate, refreshes) = (all / seconds, renewed / seconds)
        failures = log.hasStatuses ? refused / seconds : nil
        for call in times.keys { times[call]?.each.sort() }
        calls = times.ordered { ($1.value.weight, $0.key) < ($0.value.weight, $1.key) }
            .map { [seconds] in
                Call(
                    index: Int($0.key), name: log.calls[Int($0.key)].title,
                    rate: $0.value.weight / seconds,
                    times: $0.value.each)
            }
        hasTimes = !times.isEmpty
        var each: [Double] = []
        each.reserveCapacity(requests.count)
        for call in calls { each += call.times }
        each.sort()
        p95 = each.quantile(0.95)
    }

    private typealias Places = [(place: Double, height: Double)]

    /// The rates and the times of pieces of the log of about a minute.
    private static func minutes(
        _ log: TrafficLog, _ requests: some Sequence<LoggedRequest>, from start: Int64,
        _ seconds: Double
    ) -> (rates: Places, times: Places) {
        let pieces = max(1, min(240, Int((seconds / 60).rounded(.up))))
        let length = seconds / Double(pieces)
        func piece(at moment: Int64) -> Int {
            let place = Int(Double(moment - start) / 1e9 / length)
            return max(0, min(pieces - 1, place))
        }
        var parts = [[Double]](repeating: [], count: pieces)
        for request in requests {
            parts[piece(at: request.began)].append(Double(max(0, request.duration)))
        }
        var counts = [Int](repeating: 0, count: pieces)
        for begin in log.begins where begin >= start { counts[piece(at: begin)] += 1 }
        let oneIn = Int(log.sampling.oneIn)
        func minute(_ piece: Int) -> Double { (Double(piece) + 0.5) * length / 60 }
        let rates = counts.enumerated().map { piece, count in
            (place: minute(piece), height: Double(count * oneIn) / length)
        }
        let times = parts.enumerated().filter { $0.element.count >= 20 }.map { piece, times in
            (place: minute(piece), height: times.sorted().quantile(0.95))
        }
        return (rates, times)
    }

    var json: JSON {
        [
            "seconds": .number(seconds), "requestsPerSecond": .number(rate),
            "requestsAtOnce": .number(concurrency), "refreshesPerSecond": .number(refreshes),
            "failuresPerSecond": .optional(failures) { .number($0) },
            "calls": .array(
                calls.map { call in
                    [
                        "call": .string(call.name),
                        "requests": .integer(Int64((call.rate * seconds).rounded())),
                        "p50": .number(call.times.quantile(0.5)),
                        "p95": .number(call.times.quantile(0.95)),
                        "p99": .number(call.times.quantile(0.99)),
                    ]
                }),
        ]
    }
}
