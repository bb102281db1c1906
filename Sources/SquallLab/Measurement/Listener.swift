import SquallBackend
import SquallReport
import SquallServices

/// Counts one thing about a run from the events that it is told.
///
/// It owns its counters, resets them at the end of a warm-up, and returns its findings as a value.
/// The protocols below that it adopts decide which events it is told; an event carries everything
/// needed to understand it (the user's population, the step, the reason). Nothing in the world can
/// see what a listener does.
protocol Listener: AnyObject {
    associatedtype Found

    /// Its metrics, under names that thresholds and results may use.
    static var metrics: [Metric] { get }

    /// A listener to a run; `nil` when nothing in that run concerns it.
    init?(_ run: MeasuredRun)

    /// Its findings since the beginning or the end of the warm-up.
    var found: Found { get }

    /// Resets its measurements, at the end of a warm-up; the run resets its metrics after that.
    func restart()

    /// Keeps no further rows: the run is over, and its world only ends.
    func close()

    // The listener's protocols: `self` for each one below that it adopts, otherwise `nil`. The
    // compiler knows; asking the runtime took a quarter of a short run.
    var attempts: (any AttemptListener)? { get }
    var exchanges: (any ExchangeListener)? { get }
    var requestEnds: (any RequestListener)? { get }
    var visits: (any VisitListener)? { get }
    var steps: (any StepListener)? { get }
    var backend: (any BackendListener)? { get }
    var servers: (any ServerListener)? { get }
}

extension Listener {
    static var metrics: [Metric] { [] }

    func restart() {}
    func close() {}

    var attempts: (any AttemptListener)? { nil }
    var exchanges: (any ExchangeListener)? { nil }
    var requestEnds: (any RequestListener)? { nil }
    var visits: (any VisitListener)? { nil }
    var steps: (any StepListener)? { nil }
    var backend: (any BackendListener)? { nil }
    var servers: (any ServerListener)? { nil }
}

extension Listener where Found == Void {
    /// `Void`: all its findings are in the run's metrics.
    var found: Void { () }
}

/// A listener to attempts before their responses.
protocol AttemptListener: Listener {
    /// The attempts that it is told of; by default all.
    static var observedAttempts: EventTraits { get }

    /// A client has handed an attempt to its transport.
    func attemptSent(_ attempt: SentAttempt)
    /// The backend has taken an attempt.
    func attemptTaken(_ kind: AttemptKind, _ user: User)
    /// A client was told of an attempt's end.
    func attemptEnded()
}

extension AttemptListener {
    var attempts: (any AttemptListener)? { self }
    static var observedAttempts: EventTraits { .any }
    func attemptSent(_ attempt: SentAttempt) {}
    func attemptTaken(_ kind: AttemptKind, _ user: User) {}
    func attemptEnded() {}
}

/// A listener to the ends of exchanges on the wire.
protocol ExchangeListener: Listener {
    /// The exchanges that it is told of; by default all that end.
    static var observedExchanges: EventTraits { get }

    /// An exchange has ended, or never will, if the listener heeds those.
    func exchangeEnded(_ exchange: EndedExchange)
}

extension ExchangeListener {
    var exchanges: (any ExchangeListener)? { self }
    static var observedExchanges: EventTraits { .any }
}

/// A listener to logical requests that end, to completions that can no longer be called, and to
/// those that were called twice.
protocol RequestListener: Listener {
    /// The requests that it is told the end of; by default all.
    static var observedRequests: EventTraits { get }

    func requestEnded(_ request: EndedRequest)
    func completionLost(_ completion: LostRequest)
    func completionRepeated()
}

extension RequestListener {
    var requestEnds: (any RequestListener)? { self }
    static var observedRequests: EventTraits { .any }
    func requestEnded(_ request: EndedRequest) {}
    func completionLost(_ completion: LostRequest) {}
    func completionRepeated() {}
}

/// A listener to users who come and go.
protocol VisitListener: Listener {
    func userArrived(_ user: User)
    func journeyBegan(_ user: User, journey: Int)
    func journeyEnded(_ user: User)
    func visitOffered(in population: Int)
    func visitBegan(_ user: User, lateByNanoseconds lateness: Int64?)
    func visitEnded(_ user: User, isGivenUp: Bool)
    func visitRefused(in population: Int)
    func visitsWait(in population: Int, _ waits: VisitWaits)
}

extension VisitListener {
    var visits: (any VisitListener)? { self }
    func userArrived(_ user: User) {}
    func journeyBegan(_ user: User, journey: Int) {}
    func journeyEnded(_ user: User) {}
    func visitOffered(in population: Int) {}
    func visitBegan(_ user: User, lateByNanoseconds lateness: Int64?) {}
    func visitEnded(_ user: User, isGivenUp: Bool) {}
    func visitRefused(in population: Int) {}
    func visitsWait(in population: Int, _ waits: VisitWaits) {}
}

/// A listener to users' steps.
protocol StepListener: Listener {
    func stepBegan(_ user: User)
    func stepEnded(_ step: EndedStep)
    /// The run is over before the step.
    func stepUnfinished(_ step: EndedStep)
    func stepEndedLate(_ user: User, ordinal: UInt32)
}

extension StepListener {
    var steps: (any StepListener)? { self }
    func stepBegan(_ user: User) {}
    func stepEnded(_ step: EndedStep) {}
    func stepUnfinished(_ step: EndedStep) {}
    func stepEndedLate(_ user: User, ordinal: UInt32) {}
}

/// A listener to requests before the server's workers.
protocol ServerListener: Listener {
    /// A request has left the line: a worker took it, it waited too long, or its client gave up.
    func lineLeft(_ endpoint: Endpoint, after wait: Int64, _ user: User)
    /// A worker has got the connection to the database that it waited for.
    func connectionFound(_ endpoint: Endpoint, after wait: Int64, _ user: User)
    /// The numbers of busy workers and of waiting requests have changed.
    func serverChanged(busy: Int64, waiting: Int64, at now: Int64)
    /// Something has happened to a connection, or to a request because of it.
    func connectionChanged(_ event: ConnectionEvent, _ user: User)
}

extension ServerListener {
    var servers: (any ServerListener)? { self }
    func lineLeft(_ endpoint: Endpoint, after wait: Int64, _ user: User) {}
    func connectionFound(_ endpoint: Endpoint, after wait: Int64, _ user: User) {}
    func serverChanged(busy: Int64, waiting: Int64, at now: Int64) {}
    func connectionChanged(_ event: ConnectionEvent, _ user: User) {}
}

/// A listener to faults and to the payment page.
protocol BackendListener: Listener {
    func faultStruck(_ fault: Fault)
    func paymentPageClosed(on user: User, _ answer: PaymentAnswer)
}

extension BackendListener {
    var backend: (any BackendListener)? { self }
    func faultStruck(_ fault: Fault) {}
    func paymentPageClosed(on user: User, _ answer: PaymentAnswer) {}
}

extension SentAttempt {
    var traits: EventTraits { waited == nil ? .any : [.any, .held] }
}
