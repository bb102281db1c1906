import SquallBackend
import SquallHTTP
import SquallKernel
import SquallReport

/// Records how long pictures took, by app: pictures of a separate session, for which the screen's
/// answer does not wait.
final class PictureWaitMetrics: ExchangeListener {
    static let metrics: [Metric] = [.pictureWait]
    static let observedExchanges: EventTraits = .beside

    private let run: MeasuredRun
    /// By population.
    private let waits: [Metrics.TrendSlot]

    init(_ run: MeasuredRun) {
        self.run = run
        waits = run.trends(.pictureWait)
    }

    func exchangeEnded(_ exchange: EndedExchange) {
        guard exchange.record.cause.pool > 0 else { return }
        let wait = exchange.record.ended.nanoseconds - exchange.record.handedOver.nanoseconds
        run.metrics.record(wait, in: waits[exchange.user.population])
    }
}

extension Metric {
    static let pictureWait = Metric(
        "picture_wait", .trend, ofUser,
        "Time of an attempt to load a picture, which no screen waits for.")
}
