import SquallBackend
import SquallReport
import SquallServices

/// Counts payments without a charge; what happened to the others is known at the end.
final class PaymentMetrics: BackendListener {
    static let metrics: [Metric] = [.payments]

    private let run: MeasuredRun

    init?(_ run: MeasuredRun) {
        guard !run.isDriven else { return nil }
        self.run = run
        run.startAtZero([.payments])
    }

    func paymentPageClosed(on user: User, _ answer: PaymentAnswer) {
        switch answer {
        case .cancelled: count("cancelled", user)
        case .refused: count("refused", user)
        // Money moved: the end of the run shows whether it was for something.
        case .paid, .silent, .paidWithoutReceipt, .paidLate, .unreached: return
        }
    }

    private func count(_ status: String, _ user: User) {
        let tags = run.populations[user.population].tags([.status: status])
        run.metrics.add(1, to: run.metrics.counter(MetricKey(.payments, tags)))
    }
}
