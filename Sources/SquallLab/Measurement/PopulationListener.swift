import SquallBackend
import SquallHTTP
import SquallReport

/// Measures each population separately.
final class PopulationListener:
    BeginListener, ExchangeListener, RequestListener, StepListener
{
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

    func close() {
        for index in found.indices { found[index].close() }
    }

    func exchangeBegan(_ exchange: BegunExchange) {
        guard exchange.kind == .refresh else { return }
        found[exchange.user.population].refreshSent(at: exchange.user.now)
    }

    func exchangeEnded(_ exchange: EndedExchange) {
        guard exchange.isMeasured else { return }
        found[exchange.user.population].attemptSent(
            exchange.finding, isExpired: exchange.isExpired, &run.metrics)
    }

    func exchangeNeverEnded(_ exchange: EndedExchange) { exchangeEnded(exchange) }

    func requestEnded(_ request: EndedRequest) {
        guard request.wastedAttempts > 0 else { return }
        found[request.user.population].requestFailed(attempts: request.wastedAttempts)
    }

    func stepEnded(_ step: EndedStep) {
        found[step.user.population].stepEnded(step.end, at: step.user.now)
    }
}
