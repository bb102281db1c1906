import SquallBackend
import SquallKernel
import SquallReport
import SquallServices

/// Hears what happens in a run and counts one thing about it.
///
/// It owns its counters, forgets them at the end of a warm-up, and hands out what it found as a
/// value. Which events it hears is told by the protocols below that it takes on; what an event
/// needs to be understood (whose population, which step, what for) is in the event. It only
/// listens: nothing that it does is visible to anybody in the world.
protocol Listener: AnyObject {
    associatedtype Found

    /// What it counts under a name that thresholds and results may use.
    static var metrics: [Metric] { get }

    /// One that listens to a run; `nil` when there is nothing for it to hear in that one.
    init?(_ run: MeasuredRun)

    /// What it has found since the beginning or the end of the warm-up.
    var found: Found { get }

    /// Forgets what was measured so far, at the end of a warm-up; series of the run's metrics are
    /// forgotten for it.
    func restart()

    /// Keeps no further rows: the run is over, and its world only comes to its end.
    func close()

    // What it hears: itself, as each protocol below that it takes on says, and nothing otherwise.
    // The compiler knows; asking the runtime took a quarter of a short run.
    var attempts: (any AttemptListener)? { get }
    var begins: (any BeginListener)? { get }
    var attemptEnds: (any AttemptEndListener)? { get }
    var exchanges: (any ExchangeListener)? { get }
    var requestEnds: (any RequestListener)? { get }
    var completions: (any CompletionListener)? { get }
    var visits: (any VisitListener)? { get }
    var steps: (any StepListener)? { get }
    var farSide: (any FarSideListener)? { get }
    var servers: (any ServerListener)? { get }
}

extension Listener {
    /// None: what it has found is all.
    static var metrics: [Metric] { [] }

    /// Forgets nothing.
    func restart() {}
    /// Keeps no rows.
    func close() {}

    var attempts: (any AttemptListener)? { nil }
    var begins: (any BeginListener)? { nil }
    var attemptEnds: (any AttemptEndListener)? { nil }
    var exchanges: (any ExchangeListener)? { nil }
    var requestEnds: (any RequestListener)? { nil }
    var completions: (any CompletionListener)? { nil }
    var visits: (any VisitListener)? { nil }
    var steps: (any StepListener)? { nil }
    var farSide: (any FarSideListener)? { nil }
    var servers: (any ServerListener)? { nil }
}

extension Listener where Found == Void {
    /// Nothing: everything is in the run's metrics.
    var found: Void { () }
}

/// Hears what clients hand to their transport.
protocol AttemptListener: Listener {
    /// The attempts that it is told of; all unless said otherwise.
    static var heededAttempts: EventTraits { get }

    func attemptSent(_ attempt: SentAttempt)
}

extension AttemptListener {
    var attempts: (any AttemptListener)? { self }
    static var heededAttempts: EventTraits { .any }
}

/// Hears that clients are told of an attempt's end.
protocol AttemptEndListener: Listener {
    func attemptEnded()
}

extension AttemptEndListener {
    var attemptEnds: (any AttemptEndListener)? { self }
}

/// Hears what comes of it on the wire.
protocol ExchangeListener: Listener {
    /// The exchanges that it is told of; all unless said otherwise.
    static var heededExchanges: EventTraits { get }

    func exchangeEnded(_ exchange: EndedExchange)
    /// The run is over before the attempt is.
    func exchangeNeverEnded(_ exchange: EndedExchange)
}

extension ExchangeListener {
    var exchanges: (any ExchangeListener)? { self }
    static var heededExchanges: EventTraits { .any }

    func exchangeNeverEnded(_ exchange: EndedExchange) {}
}

/// Hears of every attempt when it is sent, with the call that it is.
protocol BeginListener: Listener {
    func exchangeBegan(_ exchange: BegunExchange)
}

extension BeginListener {
    var begins: (any BeginListener)? { self }
}

/// Hears of logical requests that end.
protocol RequestListener: Listener {
    /// The requests that it is told of; all unless said otherwise.
    static var heededRequests: EventTraits { get }

    func requestEnded(_ request: EndedRequest)
}

extension RequestListener {
    var requestEnds: (any RequestListener)? { self }
    static var heededRequests: EventTraits { .any }
}

/// Hears of completions that nobody can call any more, and of those that were called twice.
protocol CompletionListener: Listener {
    func completionLost(_ completion: LostRequest)
    func completionRepeated()
}

extension CompletionListener {
    var completions: (any CompletionListener)? { self }
    func completionLost(_ completion: LostRequest) {}
    func completionRepeated() {}
}

/// Hears of users who come and go.
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

/// Hears of users' steps.
protocol StepListener: Listener {
    func stepBegan(_ user: User)
    func stepEnded(_ step: EndedStep)
    /// The run is over before the step is.
    func stepUnfinished(_ step: EndedStep)
    func stepEndedLate(_ user: User, ordinal: UInt32)
}

extension StepListener {
    var steps: (any StepListener)? { self }
    func stepBegan(_ user: User) {}
    func stepUnfinished(_ step: EndedStep) {}
    func stepEndedLate(_ user: User, ordinal: UInt32) {}
}

/// Hears what becomes of requests before the server's workers.
protocol ServerListener: Listener {
    /// A request has left the line, for a worker or because it had waited too long.
    func lineLeft(_ endpoint: Endpoint, after wait: Int64, _ user: User)
    /// A worker has got the connection to the database that it waited for.
    func connectionFound(_ endpoint: Endpoint, after wait: Int64, _ user: User)
    /// So many workers are at work from now on, and so many requests wait.
    func serverChanged(busy: Int64, waiting: Int64, at now: Int64)
}

extension ServerListener {
    var servers: (any ServerListener)? { self }
    func lineLeft(_ endpoint: Endpoint, after wait: Int64, _ user: User) {}
    func connectionFound(_ endpoint: Endpoint, after wait: Int64, _ user: User) {}
    func serverChanged(busy: Int64, waiting: Int64, at now: Int64) {}
}

/// Hears of faults and of the payment page.
protocol FarSideListener: Listener {
    func faultStruck(_ fault: Fault)
    func paymentPageClosed(on user: User, _ answer: PaymentAnswer)
}

extension FarSideListener {
    var farSide: (any FarSideListener)? { self }
    func faultStruck(_ fault: Fault) {}
    func paymentPageClosed(on user: User, _ answer: PaymentAnswer) {}
}
