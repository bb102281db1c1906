import SquallFormat

/// Responses of a call that are no success and took another time: refusals, errors, cached ones.
///
/// Counted with the others they would make a call seem cheaper, and the more so the more tokens
/// expire.
struct OtherResponses: Sendable {
    let call: Int
    let status: Int16
    let count: Int
    /// The medians of these and of the successful responses, in nanoseconds.
    let median, success: Double

    private static let countMin = 20
    private static let ratio = 2.0

    /// The requests, those with other times under numbers of calls of their own behind the known
    /// ones.
    static func apart(
        _ requests: [LoggedRequest], calls: Int
    ) -> (requests: [LoggedRequest], others: [OtherResponses]) {
        struct Kind: Hashable, Comparable {
            let call: Int32
            let status: Int16

            static func < (left: Kind, right: Kind) -> Bool {
                (left.call, left.status) < (right.call, right.status)
            }
        }
        var times: [Kind: [Double]] = [:]
        for request in requests where request.duration >= 0 {
            // All successes are one kind.
            let status = (200..<300).contains(request.status) ? 200 : request.status
            times[Kind(call: request.call, status: status), default: []].append(
                Double(request.duration))
        }
        var (others, numbers) = ([OtherResponses](), [Kind: Int32]())
        for (kind, own) in times.ordered(by: { $0.key < $1.key }) where own.count >= countMin {
            guard kind.status != 200, !TimeOut.cutOff.contains(kind.status),
                let all = times[Kind(call: kind.call, status: 200)], all.count >= countMin
            else { continue }
            let (median, success) = (own.sorted().quantile(0.5), all.sorted().quantile(0.5))
            guard median * ratio < success || median > ratio * success else { continue }
            numbers[kind] = Int32(calls + others.count)
            others.append(
                OtherResponses(
                    call: Int(kind.call), status: kind.status, count: own.count, median: median,
                    success: success))
        }
        // Of few refusals and errors it is not known whether they are work: none of them count.
        let rest = Int32(calls + others.count)
        for (kind, own) in times where own.count < countMin && kind.status >= 400 {
            let successes = times[Kind(call: kind.call, status: 200)]?.count ?? 0
            if successes >= countMin, !TimeOut.cutOff.contains(kind.status) { numbers[kind] = rest }
        }
        guard !numbers.isEmpty else { return (requests, []) }
        let apart = requests.map { request in
            var request = request
            let kind = Kind(call: request.call, status: request.status)
            request.call = numbers[kind] ?? request.call
            return request
        }
        return (apart, others)
    }
}
