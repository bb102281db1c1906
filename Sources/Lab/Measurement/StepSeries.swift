internal import Report

/// The metric series of one step of one journey, asked for once before the run.
struct StepSeries {
    /// Which step it is, for people.
    let app, journey, step: String
    let ended: Metrics.CounterSlot
    let hung: Metrics.CounterSlot
    let failed: Metrics.RatioSlot
    let duration: Metrics.TrendSlot
    let refreshes: Metrics.CounterSlot
    let refreshesPerExpired: Metrics.RatioSlot
    let sessionsLost: Metrics.CounterSlot
    let expiredAnswers: Metrics.CounterSlot

    init(app: String, journey: String, step: String, in metrics: inout Metrics) {
        let tags: [TagKey: String] = [.app: app, .journey: journey, .step: step]
        self.app = app
        self.journey = journey
        self.step = step
        ended = metrics.counter(MetricKey(.steps, tags))
        hung = metrics.counter(MetricKey(.hangs, tags))
        failed = metrics.ratio(MetricKey(.stepFailed, tags))
        duration = metrics.trend(MetricKey(.stepDuration, tags))
        refreshes = metrics.counter(MetricKey(.refreshes, tags))
        refreshesPerExpired = metrics.ratio(MetricKey(.refreshesPerExpiredStep, tags))
        sessionsLost = metrics.counter(MetricKey(.sessionsLost, tags))
        expiredAnswers = metrics.counter(MetricKey(.expiredAnswers, tags))
    }
}

/// The metric series of one kind of wire exchange, asked for when the first of its kind ends.
struct ExchangeSeries {
    let requests: Metrics.CounterSlot
    let duration: Metrics.TrendSlot
    let failed: Metrics.RatioSlot

    init(_ kind: ExchangeKind, in metrics: inout Metrics) {
        let tags: [TagKey: String] = [
            .app: kind.app, .cause: kind.cause.rawValue, .endpoint: kind.endpoint,
            .status: kind.status,
        ]
        requests = metrics.counter(MetricKey(.requests, tags))
        duration = metrics.trend(MetricKey(.requestDuration, tags))
        failed = metrics.ratio(MetricKey(.requestFailed, tags))
    }
}

/// What tells wire exchanges apart in the results.
struct ExchangeKind: Hashable {
    let app: String
    let cause: Cause
    let endpoint: String
    let status: String

    /// Why something was sent.
    enum Cause: String {
        /// A step asked for it.
        case first
        /// It was sent before and failed.
        case retry
        /// A failed request needed a new token.
        case refresh
    }
}
