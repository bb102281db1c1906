import SquallApps
import SquallBackend
import SquallHTTP
import SquallKernel
import SquallReport

/// Records what chosen users do, and nothing of all others.
final class TraceListener: ExchangeListener, StepListener {
    static let observedExchanges: EventTraits = [.any, .unended]

    private(set) var found = CallTrace()
    private let run: MeasuredRun
    private let selection: TraceSelection

    /// `nil` when no user is chosen.
    init?(_ run: MeasuredRun) {
        guard let selection = run.trace else { return nil }
        self.run = run
        self.selection = selection
    }

    func exchangeEnded(_ exchange: EndedExchange) {
        guard chooses(exchange.user) else { return }
        found.append(ExampleRow.Attempt(exchange.record), of: Int64(exchange.record.cause.user))
    }

    func stepEnded(_ step: EndedStep) {
        append(step, step.outcome?.label ?? "never ended")
    }

    func stepUnfinished(_ step: EndedStep) { append(step, "under way at the end") }

    private func append(_ step: EndedStep, _ outcome: String) {
        guard chooses(step.user) else { return }
        let name = run.steps[step.number]
        found.append(
            step: "\(name.journey) · \(name.step)", of: Int64(step.user.number), outcome: outcome,
            span: step.step.intendedAt..<step.user.now,
            delayNanoseconds: step.step.startedAt.nanoseconds - step.step.intendedAt)
    }

    private func chooses(_ user: User) -> Bool {
        selection.chooses(
            user: Int64(user.number), of: run.populations[user.population].app)
    }
}
