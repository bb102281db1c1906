import SquallBackend
import SquallReport
import SquallServices

/// Counts payments without a charge; what happened to the others is known at the end.
final class PaymentMetrics: BackendListener {
    static let metrics: [Metric] = [.payments]

    private let run: MeasuredRun
    /// Made when the first page of its kind closes.
    private var known: [Key: Metrics.CounterSlot] = [:]

    private struct Key: Hashable {
        let population: Int
        let answer: PaymentAnswer
    }

    init(_ run: MeasuredRun) {
        self.run = run
        run.startAtZero([.payments])
    }

    func paymentPageClosed(on user: User, _ answer: PaymentAnswer) {
        switch answer {
        case .cancelled: count(Key(population: user.population, answer: answer), "cancelled")
        case .refused: count(Key(population: user.population, answer: answer), "refused")
        // Money moved: the end of the run shows whether it was for something.
        case .paid, .silent, .paidWithoutReceipt, .paidLate, .unreached: return
        }
    }

    private func count(_ key: Key, _ status: StaticString) {
        if let slot = known[key] { return run.metrics.add(1, to: slot) }
        let tags = run.populations[key.population].tags([.status: status.description])
        let slot = run.metrics.counter(MetricKey(.payments, tags))
        known[key] = slot
        run.metrics.add(1, to: slot)
    }
}
