import SquallApps
import SquallBackend
import SquallHTTP
import SquallReport

/// Counts what tokens did to steps: expired answers, the refreshes they caused, sessions lost.
final class StepTokenMetrics: ExchangeListener, StepListener {
    static let metrics: [Metric] = [
        .refreshes, .expiredAnswers, .sessionsLost, .refreshesPerExpiredStep,
    ]
    static let heededExchanges: EventTraits = .token

    private let run: MeasuredRun
    /// Refreshes of steps that began on an expired token, by step.
    private let refreshesPerExpired: [Metrics.RatioSlot]
    /// What concerns tokens in the running steps, by user; most have none.
    private var open: [Int: Tally] = [:]
    private var known: [Series: Metrics.CounterSlot] = [:]
    /// Steps of the whole run that began on an expired token and refreshed more than once.
    private(set) var found: Int64 = 0

    private struct Tally {
        var refreshes: Int64 = 0
        /// What the last refresh was answered.
        var lastRefresh: ExchangeRecord.Outcome?
        /// Requests that were answered "expired", with their endpoint.
        var expired: [(request: UInt32, endpoint: Endpoint)] = []
    }

    /// A series of one step, made when its first sample comes.
    private enum Series: Hashable {
        /// Refreshes that calls of an endpoint caused; `nil`: the app asked by itself.
        case refreshes(step: Int, cause: Endpoint?)
        /// Answers "expired" that an endpoint gave.
        case expiredAnswers(step: Int, Endpoint)
        /// Users who were signed out after a refresh was answered so; `nil`: without a refresh.
        case sessionsLost(step: Int, ExchangeRecord.Outcome?)
    }

    init(_ run: MeasuredRun) {
        self.run = run
        run.startAtZero([.refreshes, .expiredAnswers, .sessionsLost])
        refreshesPerExpired = run.steps.map {
            run.metrics.ratio(MetricKey(.refreshesPerExpiredStep, $0.tags()))
        }
    }

    func exchangeEnded(_ exchange: EndedExchange) {
        guard let step = exchange.step else { return }
        let (user, record) = (exchange.user.number, exchange.record)
        if record.endpoint.role == .refresh {
            var tally = open[user] ?? Tally()
            tally.refreshes += 1
            tally.lastRefresh = record.outcome
            let cause = tally.expired.first { $0.request == record.cause.refreshFor }?.endpoint
            open[user] = tally
            count(.refreshes(step: step, cause: cause))
        } else if record.meaning == .expired {
            open[user, default: Tally()].expired.append(
                (record.cause.request, record.endpoint))
            count(.expiredAnswers(step: step, record.endpoint))
        }
    }

    func stepEnded(_ step: EndedStep) {
        let tally = open.isEmpty ? nil : open.removeValue(forKey: step.user.number)
        if step.outcome == .loggedOut {
            count(.sessionsLost(step: step.number, tally?.lastRefresh))
        }
        guard step.beganExpired else { return }
        let refreshes = tally?.refreshes ?? 0
        run.metrics.add(refreshes, of: 1, to: refreshesPerExpired[step.number])
        if refreshes > 1 { found += 1 }
    }

    private func count(_ series: Series) {
        if let slot = known[series] { return run.metrics.add(1, to: slot) }
        let slot = run.metrics.counter(key(of: series))
        known[series] = slot
        run.metrics.add(1, to: slot)
    }

    private func key(of series: Series) -> MetricKey {
        switch series {
        case .refreshes(let step, let cause):
            MetricKey(.refreshes, run.steps[step].tags([.cause: cause?.name ?? "app"]))
        case .expiredAnswers(let step, let endpoint):
            MetricKey(.expiredAnswers, run.steps[step].tags([.endpoint: endpoint.name]))
        case .sessionsLost(let step, let refresh):
            MetricKey(
                .sessionsLost,
                run.steps[step].tags([
                    .cause: refresh.map { "refresh \($0.name)" } ?? "no refresh"
                ]))
        }
    }
}
