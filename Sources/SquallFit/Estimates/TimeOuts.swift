/// Spans after which somebody gave a request up: answers of one status that mostly came after the
/// same time.
struct TimeOut: Hashable, Sendable {
    /// What the log has for them: 499 where the client went away, 504 or 408 where a proxy gave up,
    /// or an error of the server's own.
    let status: Int16
    /// After how long, in nanoseconds, and how many there were.
    let span: Estimate

    /// Statuses of requests that were not worked off.
    static let cutOff: Set<Int16> = [408, 499, 504]
    private static let judged: [Int16] = [0, 408, 499, 500, 502, 504]
    private static let leastSpan = 500e6
    private static let countMin = 5
    private static let nearness = 0.02

    /// Those of a log, by status.
    static func all(_ requests: [LoggedRequest]) -> [TimeOut] {
        judged.compactMap { status in
            let spans = requests.lazy.filter { $0.status == status && $0.duration >= 0 }
                .map { Double($0.duration) }.sorted()
            let middle = spans.quantile(0.5)
            let near = spans.filter { abs($0 - middle) <= nearness * middle }
            guard near.count >= countMin, near.count * 2 >= spans.count, middle >= leastSpan,
                let low = near.first, let high = near.last
            else { return nil }
            // A round number a little below what was seen is what somebody set.
            let set = TokenTraffic.round(middle, middle * (1 - nearness), middle)
            return TimeOut(
                status: status,
                span: Estimate(set, low: min(low, set), high: high, count: near.count))
        }
    }
}
