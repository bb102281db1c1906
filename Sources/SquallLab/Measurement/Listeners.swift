/// Who listens to a run: a new metric is one file and one line here.
enum Listeners {
    static func all(_ run: MeasuredRun) -> [any Listener] {
        let all: [(any Listener)?] = [
            DigestListener(run), Totals(), TimelineListener(run), LatencyListener(run),
            WireListener(), ExchangeMetrics(run), PageMetrics(run), ReadingListener(run),
            VisitMetrics(run), StepMetrics(run), StepTokenMetrics(run), StepRetryMetrics(run),
            RefreshWaitMetrics(run), PopulationListener(run), HangListener(run),
            ScreenAudit(run), PaymentMetrics(run), DeedListener(run), ExpiryListener(),
            TraceListener(run),
        ]
        return all.compactMap { $0 }
    }
}
