import Foundation

/// When work on requests began, for any number of workers.
struct QueueTimes {
    let requests: [LoggedRequest]
    /// When requests left, the first first.
    let ends: [Int64]
    let resolution: Int64

    init(_ requests: [LoggedRequest], resolution: Int64) {
        self.requests = Self.inLine(requests)
        self.resolution = resolution
        ends = requests.map(\.ended).sorted()
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
    func start(_ index: Int, workers: Int) -> Int64 {
        index < workers
            ? requests[index].began : max(requests[index].began, ends[index - workers])
    }

    /// The share of requests that waited before so many workers.
    func waitedShare(_ workers: Int) -> Double {
        let waited = requests.indices.count {
            start($0, workers: workers) > requests[$0].began + 2 * resolution
        }
        return Double(waited) / Double(max(1, requests.count))
    }

    /// What the work on each call took, and the variance of its mean that is due to orders that are
    /// not known.
    ///
    /// The order has nothing to do with the work of those that began at once, and with the right
    /// number of workers neither has the time at which they came: where there is one line and they
    /// are most of a call's requests, only they are looked at.
    func services(
        workers: Int, isOneLine: Bool
    ) -> (times: [Int32: [Double]], variances: [Int32: Double]) {
        var order = QueueOrder(requests, requests.indices.map { start($0, workers: workers) })
        order.draw()
        var (services, certain) = ([Int32: [Double]](), [Int32: [Double]]())
        for (request, start, isOpen) in order.inLine
        where !TimeOut.cutOff.contains(request.status) {
            let span = request.ended - start
            guard span >= -2 * resolution else { continue }
            services[request.call, default: []].append(Double(max(span, 0)))
            if !isOpen { certain[request.call, default: []].append(Double(max(span, 0))) }
        }
        let settled = certain.filter { isOneLine && $1.count * 2 >= services[$0]?.count ?? 0 }
        return (
            services.merging(settled) { $1 }, order.variances.filter { settled[$0.key] == nil }
        )
    }
}
