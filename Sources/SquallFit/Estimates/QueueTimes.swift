import Foundation

/// The beginnings of work on requests, for any number of workers.
struct QueueTimes {
    let requests: [LoggedRequest]
    /// The ends of requests, in rising order.
    let ends: [Int64]
    let resolution: Int64
    /// The number of requests that left while a given number of earlier ones was still there, by
    /// that number.
    let overtaking: [Int]

    init(_ requests: consuming [LoggedRequest], resolution: Int64) {
        self.resolution = resolution
        ends = requests.map(\.ended).sorted()
        self.requests = Self.inLine(requests)
        overtaking = Self.overtaking(self.requests, tolerance: 2 * max(resolution, Self.together))
    }

    /// The number of requests that left while a given number of earlier ones was still there;
    /// requests that came or left at the same time by the clock do not count.
    private static func overtaking(_ requests: [LoggedRequest], tolerance: Int64) -> [Int] {
        let leaving = requests.indices.sorted {
            (requests[$0].ended, $0) < (requests[$1].ended, $1)
        }
        // The number of earlier requests that have left, as sums over powers of two (Fenwick,
        // Software: Practice and Experience 1994).
        var sums = [Int](repeating: 0, count: requests.count + 1)
        var (counts, next) = ([Int](), 0)
        var (earlier, first) = ([Int](), 0)
        for request in requests {
            while requests[first].began < request.began - tolerance { first += 1 }
            earlier.append(first)
        }
        for index in leaving {
            while next < leaving.count,
                requests[leaving[next]].ended <= requests[index].ended + tolerance
            {
                var place = leaving[next] + 1
                while place < sums.count {
                    sums[place] += 1
                    place += place & -place
                }
                next += 1
            }
            var (present, place) = (earlier[index], earlier[index])
            while place > 0 {
                present -= sums[place]
                place &= place - 1
            }
            while counts.count <= present { counts.append(0) }
            counts[present] += 1
        }
        return counts
    }

    /// The largest difference of two microsecond clocks at one instant, in nanoseconds.
    private static let together: Int64 = 2_000

    /// The requests in the order of the line; of those that came together, by the clock, the one
    /// that left first is assumed to have been first.
    private static func inLine(_ line: consuming [LoggedRequest]) -> [LoggedRequest] {
        var first = Int64.min
        for index in line.indices {
            let began = line[index].began
            if index > 0, began - first <= Self.together {
                line[index].duration += began - first
                line[index].began = first
            } else {
                first = began
            }
        }
        line.sort { ($0.began, $0.ended) < ($1.began, $1.ended) }
        return line
    }

    /// The beginning of work on a request.
    func start(_ index: Int, workers: Int) -> Int64 {
        index < workers
            ? requests[index].began : max(requests[index].began, ends[index - workers])
    }

    /// The share of requests that waited, for a number of workers.
    func waitedShare(_ workers: Int) -> Double {
        let waited = requests.indices.count {
            start($0, workers: workers) > requests[$0].began + 2 * resolution
        }
        return Double(waited) / Double(max(1, requests.count))
    }

    /// The mean wait in nanoseconds, for a number of workers.
    func meanWait(_ workers: Int) -> Double {
        let waits = requests.indices.lazy.map {
            Double(start($0, workers: workers) - requests[$0].began)
        }
        return waits.reduce(0, +) / Double(max(1, requests.count))
    }

    /// The work on each call, and the variance of its mean that is due to unknown orders.
    ///
    /// For requests with work that began at once the order does not matter and, with the right
    /// number of workers, neither does the time of their arrival: so with one line, if most of a
    /// call's requests are such, only they are used.
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
