import SquallBackend
import SquallKernel

/// Checks Little's law on the wire; a warm-up does not end it.
final class WireListener: AttemptListener, ExchangeListener {
    @exclusivity(unchecked) private(set) var found = WireOccupancy()

    init(_ run: MeasuredRun) {}

    func attemptSent(_ attempt: SentAttempt) { found.begin(at: attempt.user.now) }

    func exchangeEnded(_ exchange: EndedExchange) {
        let record = exchange.record
        found.end(
            handedOver: record.handedOver.nanoseconds,
            sent: (record.sent ?? record.ended).nanoseconds,
            at: exchange.user.now)
    }
}
