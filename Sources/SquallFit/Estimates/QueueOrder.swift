import SquallFormat
import SquallKernel

/// Estimates the order in line of requests that came at one instant, which no log contains.
///
/// Orders are drawn by the likelihood of the times that follow from them, distributions of times
/// and places are computed from the draw, and so on (stochastic EM: Celeux and Diebolt,
/// Computational Statistics Quarterly 1985; orders in an unobserved line: Sutton and Jordan, Annals
/// of Applied Statistics 2011). A client mostly sends the calls of a screen in one order, so a
/// call's place among the same calls has a distribution, too. In the order of their responses, the
/// first calls would look shorter than they are and the last ones longer.
struct QueueOrder {
    /// The request at each place in line, by index.
    private var order: [Int]
    private let requests: [LoggedRequest]
    /// The beginning of work on the request at each place.
    private let starts: [Int64]
    /// Runs of places with one instant of arrival and different beginnings of work.
    private let groups: [(places: Range<Int>, kind: Int)]
    /// The number of different calls of each kind of group.
    private let callCounts: [Int]
    /// Each request's call, as an index in its group and among all calls.
    private let callInGroup: [Int]
    private let call: [Int]
    /// True for places that any of several calls may have had.
    private let isOpen: [Bool]
    private var chance = StableHash()
    /// The mean time of each call in the last draws.
    private var means: [[Double]] = []

    private static let draws = 16
    /// The number of draws by times alone: with the distributions of places from the start, the
    /// draws could settle on anything.
    private static let drawsWithoutPlaces = 6
    /// The number of last draws that show the effect of the unknown order.
    private static let drawsKept = 8
    private static let exchangesMax = 64
    private static let steps = 450

    /// Requests in line as far as their order is known, and the beginning of work on each place.
    init(_ requests: [LoggedRequest], _ starts: [Int64]) {
        self.requests = requests
        self.starts = starts
        order = Array(requests.indices)
        var numbers: [Int32: Int] = [:]
        call = requests.map { request in
            let number = numbers[request.call] ?? numbers.count
            numbers[request.call] = number
            return number
        }
        var (groups, kinds, counts) = ([(Range<Int>, Int)](), [[Int]: Int](), [Int]())
        var callInGroup = Array(repeating: 0, count: requests.count)
        var isOpen = Array(repeating: false, count: requests.count)
        for places in Self.together(requests)
        where starts[places.lowerBound] != starts[places.upperBound - 1] {
            let calls = places.map { [call] in call[$0] }.sorted()
            let kind = kinds[calls] ?? counts.count
            kinds[calls] = kind
            var different: [Int] = []
            for number in calls where different.last != number { different.append(number) }
            if kind == counts.count { counts.append(different.count) }
            for place in places {
                callInGroup[place] = different.firstIndex(of: call[place]) ?? 0
                isOpen[place] = different.count > 1
            }
            groups.append((places, kind))
        }
        self.groups = groups
        callCounts = counts
        self.callInGroup = callInGroup
        self.isOpen = isOpen
    }

    /// The requests with the beginning of work on them; `isOpen` if another order would change
    /// their call's mean.
    var inLine: [(request: LoggedRequest, start: Int64, isOpen: Bool)] {
        order.indices.map { (requests[order[$0]], starts[$0], isOpen[$0]) }
    }

    /// Runs of at least two requests that came at one instant.
    private static func together(_ requests: [LoggedRequest]) -> [Range<Int>] {
        var (runs, first) = ([Range<Int>](), 0)
        for end in 1...max(1, requests.count) {
            if end < requests.count, requests[end].began == requests[first].began { continue }
            if end - first > 1 { runs.append(first..<end) }
            first = end
        }
        return runs
    }

    /// Draws the orders.
    mutating func draw() {
        guard !groups.isEmpty else { return }
        for round in 0..<Self.draws {
            let times = timesSeen()
            let places = round < Self.drawsWithoutPlaces ? nil : placesSeen()
            for group in groups { draw(group.places, times, places?[group.kind]) }
            if round >= Self.draws - Self.drawsKept { keep() }
        }
    }

    private mutating func keep() {
        var sums = Array(repeating: (count: 0.0, sum: 0.0), count: (call.max() ?? 0) + 1)
        for (request, start) in zip(order, starts) {
            let own = sums[call[request]]
            let span = Double(max(0, requests[request].ended - start))
            sums[call[request]] = (own.count + 1, own.sum + span)
        }
        means.append(sums.map { $0.sum / max(1, $0.count) })
    }

    /// The variance of each call's mean time that is due to the unknown order, as between
    /// imputations (Rubin, "Multiple Imputation for Nonresponse in Surveys", 1987).
    var variances: [Int32: Double] {
        guard means.count > 1 else { return [:] }
        var found: [Int32: Double] = [:]
        for (request, number) in zip(requests, call) where found[request.call] == nil {
            let moments = Moments(means.map { $0[number] })
            found[request.call] = moments.variance * (1 + 1 / Double(means.count))
        }
        return found
    }

    /// Swaps neighbours in line, each time with the probability ratio of the two orders.
    private mutating func draw(_ places: Range<Int>, _ times: [Double], _ seen: [Double]?) {
        let count = places.count
        for _ in 0..<min(Self.exchangesMax, count * count) {
            chance.mix(UInt64(places.lowerBound))
            let front = places.lowerBound + Int(chance.value >> 33) % (count - 1)
            let (one, other) = (order[front], order[front + 1])
            let (early, late) = (starts[front], starts[front + 1])
            guard requests[one].ended > late, requests[other].ended > early else { continue }
            var gain =
                likelihood(one, from: late, times) + likelihood(other, from: early, times)
                - likelihood(one, from: early, times) - likelihood(other, from: late, times)
            if let seen {
                let place = front - places.lowerBound
                let (first, second) = (callInGroup[one] * count, callInGroup[other] * count)
                gain += seen[second + place] + seen[first + place + 1]
                gain -= seen[first + place] + seen[second + place + 1]
            }
            let unit = (Double(chance.value & 0xFFFF_FFFF) + 0.5) / 4_294_967_296
            if gain >= 0 || PortableMath.log(unit) < gain { order.swapAt(front, front + 1) }
        }
    }

    /// The log-density of a request's time, without the part that is equal for all its times.
    private func likelihood(_ request: Int, from start: Int64, _ times: [Double]) -> Double {
        let logarithm = PortableMath.log(Double(max(1, requests[request].ended - start)))
        return times[call[request] * Self.steps + Self.step(logarithm)] - logarithm
    }

    private static func step(_ logarithm: Double) -> Int { min(steps - 1, Int(logarithm * 10)) }

    /// The log-frequencies of each call's times, in steps of a tenth of the logarithm.
    private func timesSeen() -> [Double] {
        let calls = (call.max() ?? 0) + 1
        var counts = Array(repeating: 0.5, count: calls * Self.steps)
        for (request, start) in zip(order, starts) {
            let span = Double(max(1, requests[request].ended - start))
            counts[call[request] * Self.steps + Self.step(PortableMath.log(span))] += 1
        }
        return counts.map { PortableMath.log($0) }
    }

    /// For each kind of group, the log-frequencies of its calls at each place.
    private func placesSeen() -> [[Double]] {
        var counts = callCounts.map { _ in [Double]() }
        for (places, kind) in groups {
            if counts[kind].isEmpty {
                counts[kind] = Array(repeating: 1, count: callCounts[kind] * places.count)
            }
            for place in places {
                let row = callInGroup[order[place]] * places.count
                counts[kind][row + place - places.lowerBound] += 1
            }
        }
        return counts.map { $0.map { PortableMath.log($0) } }
    }
}
