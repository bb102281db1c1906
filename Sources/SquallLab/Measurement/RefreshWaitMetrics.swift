import SquallReport

/// Records how long requests waited for a new token, by app.
final class RefreshWaitMetrics: AttemptListener, RequestListener {
    static let metrics: [Metric] = [.refreshWait]
    static let observedAttempts: EventTraits = .held
    static let observedRequests: EventTraits = .held

    private let run: MeasuredRun
    /// By population.
    private let waits: [Metrics.TrendSlot]

    init(_ run: MeasuredRun) {
        self.run = run
        waits = run.trends(.refreshWait)
    }

    func attemptSent(_ attempt: SentAttempt) { waited(attempt.waited, attempt.user) }

    func requestEnded(_ request: EndedRequest) { waited(request.waited, request.user) }

    private func waited(_ span: Int64?, _ user: User) {
        if let span { run.metrics.record(span, in: waits[user.population]) }
    }
}
