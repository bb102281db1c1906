import SquallBackend
import SquallHTTP
import SquallReport

/// What tells wire exchanges apart in the results.
struct ExchangeKind: Hashable {
    /// The app's position in the recorder's list.
    let app: Int
    let cause: Cause
    let endpoint: Endpoint
    let outcome: ExchangeRecord.Outcome

    /// Why something was sent.
    enum Cause: String {
        /// A step asked for it.
        case first
        /// It was sent before and failed.
        case retry
        /// A failed request needed a new token.
        case refresh
    }
}

/// The metric series of one kind of wire exchange, asked for when the first of its kind ends.
struct ExchangeSeries {
    let requests: Metrics.CounterSlot
    /// Calls made by app code; only first attempts count as such.
    let logical: Metrics.CounterSlot?
    let duration: Metrics.TrendSlot
    let failed: Metrics.RatioSlot

    init(_ kind: ExchangeKind, app: String, in metrics: inout Metrics) {
        let tags: [TagKey: String] = [
            .app: app, .cause: kind.cause.rawValue, .endpoint: kind.endpoint.name,
            .status: kind.outcome.name,
        ]
        let endpoint: [TagKey: String] = [.app: app, .endpoint: kind.endpoint.name]
        logical =
            kind.cause == .first ? metrics.counter(MetricKey(.logicalRequests, endpoint)) : nil
        requests = metrics.counter(MetricKey(.requests, tags))
        duration = metrics.trend(MetricKey(.requestDuration, tags))
        failed = metrics.ratio(MetricKey(.requestFailed, tags))
    }
}

/// The metric series of one list's pages, asked for when the first of them arrives.
struct PageSeries {
    let pages: Metrics.CounterSlot
    let items: Metrics.CounterSlot

    /// Which list of which app, by the app's position in the recorder's list.
    struct Key: Hashable {
        let app: Int
        let endpoint: Endpoint
    }

    init(_ endpoint: Endpoint, app: String, in metrics: inout Metrics) {
        let tags: [TagKey: String] = [.app: app, .endpoint: endpoint.name]
        pages = metrics.counter(MetricKey(.pages, tags))
        items = metrics.counter(MetricKey(.items, tags))
    }
}

extension ExchangeRecord.Outcome {
    /// A status, or the name of the error.
    var name: String {
        switch self {
        case .status(let status): String(status)
        case .error(let code): "\(code)"
        }
    }
}
