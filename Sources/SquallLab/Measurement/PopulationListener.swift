import SquallBackend
import SquallHTTP
import SquallReport

/// Measures each population apart from the others.
final class PopulationListener: ExchangeListener, RequestListener, StepListener {
    static let metrics: [Metric] = [.refreshesPerExpiry]
    static let heededRequests: EventTraits = .wasted

    /// In the order of the users' numbers.
    @exclusivity(unchecked) private(set) var found: [PopulationLedger]
    private let run: MeasuredRun

    init(_ run: MeasuredRun) {
        self.run = run
        found = run.populations.map { population in
            PopulationLedger(
                name: population.name, app: population.app, design: population.design,
                users: population.users, intervals: run.intervals, in: &run.metrics)
        }
    }

    func restart() {
        for index in found.indices { found[index].restart() }
    }

    func exchangeEnded(_ exchange: EndedExchange) {
        let user = exchange.user
        if exchange.record.endpoint.role != .refresh, exchange.record.meaning == .expired {
            found[user.population].answeredExpired(
                isFirst: exchange.beginsExpiry, &run.metrics, at: user.now)
        }
        found[user.population].callEnded(exchange.cause, &run.metrics, at: user.now)
    }

    func requestEnded(_ request: EndedRequest) {
        guard request.wastedAttempts > 0 else { return }
        found[request.user.population].requestFailed(attempts: request.wastedAttempts)
    }

    func stepEnded(_ step: EndedStep) {
        found[step.user.population].stepEnded(step.end, at: step.user.now)
    }
}
