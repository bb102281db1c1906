import SquallBackend
import SquallReport

/// The metric series of one step of one journey, asked for once before the run.
struct StepSeries {
    /// Which step it is, for people.
    let app, design, journey, step: String
    /// The same, for the metrics.
    let tags: [TagKey: String]
    let ended: Metrics.CounterSlot
    let hung: Metrics.CounterSlot
    let failed: Metrics.RatioSlot
    let duration: Metrics.TrendSlot
    let refreshesPerExpired: Metrics.RatioSlot
    /// Series by endpoint, made when the first sample comes.
    var refreshes: [Endpoint?: Metrics.CounterSlot] = [:]
    var expiredAnswers: [Endpoint: Metrics.CounterSlot] = [:]
    var retries: [Endpoint: Metrics.CounterSlot] = [:]
    /// By the answer to the step's last refresh.
    var sessionsLost: [ExchangeRecord.Outcome?: Metrics.CounterSlot] = [:]

    init(
        app: String, design: String, journey: String, step: String, in metrics: inout Metrics
    ) {
        self.app = app
        self.design = design
        self.journey = journey
        self.step = step
        tags = [
            .app: app, .design: design, .journey: journey, .step: step,
        ]
        ended = metrics.counter(MetricKey(.steps, tags))
        hung = metrics.counter(MetricKey(.hangs, tags))
        failed = metrics.ratio(MetricKey(.stepFailed, tags))
        duration = metrics.trend(MetricKey(.stepDuration, tags))
        refreshesPerExpired = metrics.ratio(MetricKey(.refreshesPerExpiredStep, tags))
    }
}

/// The metric series of one journey, asked for once before the run.
struct JourneySeries {
    let app, journey: String
    let begun: Metrics.CounterSlot

    init(app: String, journey: String, in metrics: inout Metrics) {
        self.app = app
        self.journey = journey
        begun = metrics.counter(MetricKey(.journeys, [.app: app, .journey: journey]))
    }
}

extension Recorder {
    /// The count of refreshes that calls of an endpoint caused in a step; `nil`: the app asked by
    /// itself.
    func refreshes(causedBy origin: Endpoint?, in step: Int) -> Metrics.CounterSlot {
        if let known = stepSeries[step].refreshes[origin] { return known }
        let slot = slot(.refreshes, [.cause: origin?.name ?? "app"], of: step)
        stepSeries[step].refreshes[origin] = slot
        return slot
    }

    /// The count of answers "expired" that an endpoint gave in a step.
    func expiredAnswers(of endpoint: Endpoint, in step: Int) -> Metrics.CounterSlot {
        if let known = stepSeries[step].expiredAnswers[endpoint] { return known }
        let slot = slot(.expiredAnswers, [.endpoint: endpoint.name], of: step)
        stepSeries[step].expiredAnswers[endpoint] = slot
        return slot
    }

    /// The count of attempts of an endpoint that were not the first, in a step.
    func retries(of endpoint: Endpoint, in step: Int) -> Metrics.CounterSlot {
        if let known = stepSeries[step].retries[endpoint] { return known }
        let slot = slot(.retries, [.endpoint: endpoint.name], of: step)
        stepSeries[step].retries[endpoint] = slot
        return slot
    }

    /// The count of users who were signed out in a step after a refresh was answered so; `nil`:
    /// without a refresh.
    func sessionsLost(
        to refresh: ExchangeRecord.Outcome?, in step: Int
    ) -> Metrics.CounterSlot {
        if let known = stepSeries[step].sessionsLost[refresh] { return known }
        let cause = refresh.map { "refresh \($0.name)" } ?? "no refresh"
        let slot = slot(.sessionsLost, [.cause: cause], of: step)
        stepSeries[step].sessionsLost[refresh] = slot
        return slot
    }

    private func slot(
        _ metric: Metric, _ extra: [TagKey: String], of step: Int
    ) -> Metrics.CounterSlot {
        let tags = stepSeries[step].tags.merging(extra) { known, _ in known }
        return metrics.counter(MetricKey(metric, tags))
    }
}
