import SquallBackend
import SquallKernel
public import SquallReport

/// The listeners to one kind of event, each with the traits that it wants, in their order.
///
/// A chain of constants: the compiler counts references to each element of an array that it tells,
/// and a dozen listeners are told of every exchange.
final class ListenerChain<Listener> {
    private let links: [Link]
    /// The traits that any of them wants.
    private let interests: EventTraits

    private final class Link {
        let listener: Listener
        let interests: EventTraits
        /// Kept by the array of all.
        let next: Unmanaged<Link>?

        init(_ listener: Listener, interests: EventTraits, before next: Link?) {
            self.listener = listener
            self.interests = interests
            self.next = next.map(Unmanaged.passUnretained)
        }
    }

    init(_ listeners: [Listener], interests: (Listener) -> EventTraits = { _ in .any }) {
        self.interests = listeners.reduce([]) { $0.union(interests($1)) }
        links = listeners.reversed().reduce(into: []) { links, listener in
            links.append(Link(listener, interests: interests(listener), before: links.last))
        }
    }

    /// Tells those that want any of an event's traits.
    @inline(__always)
    func tell(of traits: EventTraits = .any, _ tell: (Listener) -> Void) {
        guard !interests.isDisjoint(with: traits) else { return }
        var next = links.last.map(Unmanaged.passUnretained)
        while let link = next {
            next = link._withUnsafeGuaranteedRef { link in
                if !link.interests.isDisjoint(with: traits) { tell(link.listener) }
                return link.next
            }
        }
    }
}

/// The listeners to a run: a new metric is one file and one line here.
enum Listeners {
    /// In the order in which they are told of an event.
    private static var kinds: [any Listener.Type] {
        [
            DigestListener.self, Totals.self, TimelineListener.self, LatencyListener.self,
            WireListener.self, ExchangeMetrics.self, PageMetrics.self, ReadingListener.self,
            VisitMetrics.self, StepMetrics.self, StepTokenMetrics.self, StepRetryMetrics.self,
            HiddenScreenMetrics.self,
            RefreshWaitMetrics.self, PictureWaitMetrics.self, RefreshMetrics.self,
            HangListener.self, ScreenAudit.self, PaymentMetrics.self, GoalListener.self,
            ExpiryListener.self, LoadListener.self, ServerMetrics.self, PairListener.self,
            ConnectionMetrics.self,
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

/// Checks Little's law for attempts on the wire; a warm-up does not end it.
final class WireListener: AttemptListener, ExchangeListener {
    @exclusivity(unchecked) private(set) var found = WireOccupancy()

    init(_ run: MeasuredRun) {}

    func attemptSent(_ attempt: SentAttempt) { found.begin(at: attempt.user.now) }

    func exchangeEnded(_ exchange: EndedExchange) {
        found.end(
            handedOver: exchange.record.handedOver.nanoseconds,
            sent: (exchange.record.sent ?? exchange.record.ended).nanoseconds,
            at: exchange.user.now)
    }
}
