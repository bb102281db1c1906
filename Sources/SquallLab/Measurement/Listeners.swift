public import SquallReport

/// The listeners to a run: a new metric is one file and one line here.
enum Listeners {
    /// In the order in which they hear of an event.
    private static var kinds: [any Listener.Type] {
        [
            DigestListener.self, Totals.self, TimelineListener.self, LatencyListener.self,
            WireListener.self, ExchangeMetrics.self, PageMetrics.self, ReadingListener.self,
            VisitMetrics.self, StepMetrics.self, StepTokenMetrics.self, StepRetryMetrics.self,
            HiddenScreenMetrics.self,
            RefreshWaitMetrics.self, PictureWaitMetrics.self, RefreshMetrics.self,
            HangListener.self, ScreenAudit.self, PaymentMetrics.self, GoalListener.self,
            ExpiryListener.self, LoadListener.self, ServerMetrics.self, PairListener.self,
            TraceListener.self, FailureListener.self, ExampleListener.self, BacklogListener.self,
        ]
    }

    static func all(_ run: MeasuredRun) -> [any Listener] {
        kinds.compactMap { kind -> (any Listener)? in kind.init(run) }
    }

    static var metrics: [Metric] { kinds.flatMap { $0.metrics } }
}

extension MetricCatalogue {
    /// Every metric that a run counts: those that thresholds may name and schemas list.
    public static let installed = MetricCatalogue(Listeners.metrics)
}
