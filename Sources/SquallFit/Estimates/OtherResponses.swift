import SquallFormat

/// Responses of a call that are no success and took another time: refusals, errors, cached ones.
///
/// Counted with the others they would make a call seem cheaper, and the more so the more tokens
/// expire.
struct OtherResponses {
    /// The responses of one call with one status.
    struct Kind: Sendable {
        let call: Int
        let status: Int16
        let count: Int
        /// The medians of these and of the successful responses, in nanoseconds.
        let median, success: Double
    }

    /// The kinds with other times, which have numbers of calls of their own behind the known ones.
    private(set) var all: [Kind] = []
    private var numbers: [Place: Int32] = [:]

    private struct Place: Hashable, Comparable {
        let call: Int32
        let status: Int16

        static func < (left: Place, right: Place) -> Bool {
            (left.call, left.status) < (right.call, right.status)
        }
    }

    private static let countMin = 20
    private static let ratio = 2.0

    init(_ requests: some Sequence<LoggedRequest>, calls: Int) {
        var times: [Place: [Double]] = [:]
        for request in requests where request.duration >= 0 {
            // All successes are one kind.
            let status = (200..<300).contains(request.status) ? 200 : request.status
            times[Place(call: request.call, status: status), default: []].append(
                Double(request.duration))
        }
        for place in times.keys { times[place]?.sort() }
        // Of few refusals and errors it is not known whether they are work: none of them count.
        var few: [Place] = []
        for (place, own) in times.ordered(by: { $0.key < $1.key }) {
            guard place.status != 200, !TimeOut.cutOff.contains(place.status),
                let others = times[Place(call: place.call, status: 200)],
                others.count >= Self.countMin
            else { continue }
            guard own.count >= Self.countMin else {
                if place.status >= 400 { few.append(place) }
                continue
            }
            let (median, success) = (own.quantile(0.5), others.quantile(0.5))
            guard median * Self.ratio < success || median > Self.ratio * success else { continue }
            numbers[place] = Int32(calls + all.count)
            all.append(
                Kind(
                    call: Int(place.call), status: place.status, count: own.count, median: median,
                    success: success))
        }
        for place in few { numbers[place] = Int32(calls + all.count) }
    }

    /// A request, under the number of its kind if that took other times.
    func apart(_ request: LoggedRequest) -> LoggedRequest {
        guard let number = numbers[Place(call: request.call, status: request.status)] else {
            return request
        }
        var request = request
        request.call = number
        return request
    }
}
