import Foundation

/// The retries of users' apps after failed calls: after an error of the server (5xx) or a rate
/// limit (429).
struct SeenRetries {
    /// The share of failed calls that the same user sends again.
    let share: Estimate
    /// The delay between a failed response and the next attempt, in nanoseconds.
    let spacing: Estimate
    /// The most times that one call was sent again.
    let most: Int
    /// True if the app sends calls again: far more of the failed ones than of the others.
    let isByApp: Bool
    /// The delays before the first retry of a call, in order, and before later ones.
    private let first, later: [Double]

    /// A call that comes later is another one.
    private static let span: Int64 = 60_000_000_000
    private static let next = 20
    /// The least difference between the share of failed calls made again and that of others.
    private static let difference = 0.25
    private static let few = 5

    /// nil where nothing failed; the requests of each user are in order.
    init?(_ people: [ArraySlice<LoggedRequest>]) {
        // Most logs have no failure, and then no call need be looked for.
        guard people.contains(where: { $0.contains(where: Self.hasFailed) }) else { return nil }
        var (failed, others, othersAgain, most) = (0, 0, 0, 0)
        var (first, later) = ([Double](), [Double]())
        for person in people {
            // The retries that each failed request already is of, by its index.
            var depths: [Int: Int] = [:]
            for index in person.indices {
                let request = person[index]
                let again = person[(index + 1)...].prefix(Self.next).firstIndex {
                    $0.call == request.call && $0.began >= request.ended
                        && $0.began - request.ended < Self.span
                }
                guard Self.hasFailed(request) else {
                    others += 1
                    othersAgain += again == nil ? 0 : 1
                    continue
                }
                failed += 1
                guard let again else { continue }
                let depth = depths[index, default: 0]
                depths[again] = depth + 1
                most = max(most, depth + 1)
                let delay = Double(person[again].began - request.ended)
                if depth == 0 { first.append(delay) } else { later.append(delay) }
            }
        }
        share = Estimate(share: first.count + later.count, of: failed)
        spacing = Estimate(meanOf: first + later)
        self.most = most
        (self.first, self.later) = (first.sorted(), later.sorted())
        let usual = Double(othersAgain) / Double(max(1, others))
        isByApp = first.count >= Self.few && share.low ?? 0 > usual + Self.difference
    }

    private static func hasFailed(_ request: LoggedRequest) -> Bool {
        request.status >= 500 || request.status == 429
    }

    /// The retries of the app as a profile declares them, less the network's time both ways; nil
    /// where users or chance may be what makes a call twice.
    func policy(network: Double) -> (kind: String, settings: ProfileValue)? {
        guard isByApp else { return nil }
        let middle = max(0, first.quantile(0.5) - network)
        let spread = first.quantile(0.75) - first.quantile(0.25)
        // Full jitter draws each delay evenly from none to all of it.
        let isJittered = spread > 0.5 * (middle + network)
        let delay = isJittered ? middle * 2 : middle
        let isConstant =
            later.count >= Self.few && later.quantile(0.5) < 1.5 * first.quantile(0.5)
        let time = ProfileValue.time(min(3_600e9, delay))
        return (
            isJittered ? "jittered" : "naive",
            [
                "limit": ProfileValue(min(100, most)), "firstDelay": time,
                "longestDelay": isConstant ? time : nil,
            ]
        )
    }
}
