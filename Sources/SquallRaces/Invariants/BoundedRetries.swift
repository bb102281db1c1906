/// A client does not answer failures with a flood of requests.
struct BoundedRetries: RaceInvariant {
    let id = "S11"
    let name = "boundedRetries"
    let claim = "A call is sent a bounded number of times, whatever the response."
    let needs: Evidence = [.failure]
    let source = "simulation §6.6; Google SRE, chapter 21"

    /// As many as the most patient of the common policies: five attempts, as in gRPC.
    private static let attemptsMax = 5

    func violations(in history: History) -> [Violation] {
        var sends: [AttemptKey: [Int]] = [:]
        for attempt in history.attempts where attempt.sent.request != nil {
            sends[attempt.sent.call, default: []].append(attempt.sentIndex)
        }
        let floods = sends.filter { $0.value.count > Self.attemptsMax }.sorted {
            ($0.value.first ?? 0) < ($1.value.first ?? 0)
        }
        return floods.map { key, indices in
            violation(
                "one call was sent \(indices.count) times", user: key.user, cause: "sends",
                events: Array(indices.prefix(Self.attemptsMax + 1)))
        }
    }
}
