import SquallApps
import SquallBackend
import SquallHTTP
import SquallReport

/// Counts what tokens did to steps: expired answers, the refreshes they caused, sessions lost.
///
/// What ends when its step is over is counted without a step, so that the sums add up.
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
        /// Refreshes by what caused them.
        case refreshes(Place, RefreshCause)
        /// Answers "expired" that an endpoint gave.
        case expiredAnswers(Place, Endpoint)
        /// Users who were signed out after a refresh was answered so; `nil`: without a refresh.
        case sessionsLost(step: Int, ExchangeRecord.Outcome?)
    }

    /// What made an app refresh its token.
    private enum RefreshCause: Hashable {
        /// Nothing that was refused: the app asked by itself.
        case app
        /// A call of an endpoint was answered "expired".
        case endpoint(Endpoint)
        /// A call of a step that is over, of which nothing is kept.
        case unknown

        /// What sent a refresh, of which these calls of its step were answered "expired".
        init(
            _ refresh: ExchangeRecord, _ expired: [(request: UInt32, endpoint: Endpoint)]
        ) {
            guard let request = refresh.cause.refreshFor else {
                self = .app
                return
            }
            let refused = expired.first { $0.request == request }
            self = refused.map { .endpoint($0.endpoint) } ?? .unknown
        }

        var name: String {
            switch self {
            case .app: "app"
            case .endpoint(let endpoint): endpoint.name
            case .unknown: "unknown"
            }
        }
    }

    /// Where something ended: in a step, or when its population's user was in none.
    private enum Place: Hashable {
        case step(Int)
        case population(Int)
    }

    init(_ run: MeasuredRun) {
        self.run = run
        run.startAtZero([.refreshes, .expiredAnswers, .sessionsLost])
        refreshesPerExpired = run.steps.map {
            run.metrics.ratio(MetricKey(.refreshesPerExpiredStep, $0.tags()))
        }
    }

    func exchangeEnded(_ exchange: EndedExchange) {
        guard let step = exchange.step else { return endedOutside(exchange) }
        let (user, record) = (exchange.user.number, exchange.record)
        if record.endpoint.role == .refresh {
            var tally = open[user] ?? Tally()
            tally.refreshes += 1
            tally.lastRefresh = record.outcome
            open[user] = tally
            count(.refreshes(.step(step), RefreshCause(record, tally.expired)))
        } else if record.meaning == .expired {
            open[user, default: Tally()].expired.append(
                (record.cause.request, record.endpoint))
            count(.expiredAnswers(.step(step), record.endpoint))
        }
    }

    /// The step that it was sent for is over, and so is what is known of its cause.
    private func endedOutside(_ exchange: EndedExchange) {
        let place = Place.population(exchange.user.population)
        if exchange.record.endpoint.role == .refresh {
            count(.refreshes(place, RefreshCause(exchange.record, [])))
        } else if exchange.record.meaning == .expired {
            count(.expiredAnswers(place, exchange.record.endpoint))
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
        case .refreshes(let place, let cause):
            MetricKey(.refreshes, tags(of: place, [.cause: cause.name]))
        case .expiredAnswers(let place, let endpoint):
            MetricKey(.expiredAnswers, tags(of: place, [.endpoint: endpoint.name]))
        case .sessionsLost(let step, let refresh):
            MetricKey(
                .sessionsLost,
                run.steps[step].tags([
                    .cause: refresh.map { "refresh \($0.name)" } ?? "no refresh"
                ]))
        }
    }

    private func tags(of place: Place, _ more: [TagKey: String]) -> [TagKey: String] {
        switch place {
        case .step(let step): run.steps[step].tags(more)
        case .population(let population): run.populations[population].tags(more)
        }
    }
}
