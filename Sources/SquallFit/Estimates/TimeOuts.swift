/// A time-out of clients, proxies or the server: responses of one status that mostly came after the
/// same time.
struct TimeOut: Sendable {
    /// The status in the log: 499 if the client went away, 504 or 408 if a proxy gave up, or an
    /// error of the server.
    let status: Int16
    /// The time-out in nanoseconds, and the number of such responses.
    let span: Estimate

    /// Statuses of requests with work that was cut short.
    static let cutOff: Set<Int16> = [408, 499, 504]
    private static let judged: [Int16] = [0, 408, 499, 500, 502, 504]
    private static let leastSpan = 500e6
    private static let countMin = 5
    private static let nearness = 0.02

    /// The time-outs in a log, by status.
    static func all(_ requests: some Sequence<LoggedRequest>) -> [TimeOut] {
        judged.compactMap { status in
            let spans = requests.lazy.filter { $0.status == status && $0.duration >= 0 }
                .map { Double($0.duration) }.sorted()
            let middle = spans.quantile(0.5)
            let near = spans.filter { abs($0 - middle) <= nearness * middle }
            guard near.count >= countMin, near.count * 2 >= spans.count, middle >= leastSpan,
                let low = near.first, let high = near.last
            else { return nil }
            // A round number slightly below the observed time is probably the configured one.
            let set = TokenTraffic.round(middle, middle * (1 - nearness), middle)
            return TimeOut(
                status: status,
                span: Estimate(set, low: min(low, set), high: high, count: near.count))
        }
    }
}
