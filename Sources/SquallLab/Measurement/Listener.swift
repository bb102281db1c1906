import SquallApps
import SquallBackend
import SquallClient
import SquallHTTP
import SquallKernel
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

/// Special traits of an event, so that a listener is told only of events that it heeds.
///
/// Most listeners look for something rare, and telling each of them of every exchange costs.
struct EventTraits: OptionSet {
    let rawValue: UInt16

    /// None; every event that happens has this one.
    static let any = EventTraits(rawValue: 1 << 0)
    /// The response is a page of a list that the app got.
    static let page = EventTraits(rawValue: 1 << 1)
    /// The attempt was not its request's first.
    static let repeated = EventTraits(rawValue: 1 << 2)
    /// It is a refresh, or the expired response to a call.
    static let token = EventTraits(rawValue: 1 << 3)
    /// It belongs to a session other than the app's, as pictures do.
    static let beside = EventTraits(rawValue: 1 << 4)
    /// The request has waited for a new token.
    static let held = EventTraits(rawValue: 1 << 5)
    /// The request failed in the end.
    static let wasted = EventTraits(rawValue: 1 << 6)
    /// The screen that asked for it is covered or replaced.
    static let hidden = EventTraits(rawValue: 1 << 7)
    /// It has not ended when the run is over; it has no other trait.
    static let unended = EventTraits(rawValue: 1 << 8)
}

extension SentAttempt {
    var traits: EventTraits { waited == nil ? .any : [.any, .held] }
}

extension EndedExchange {
    var traits: EventTraits {
        guard record.outcome != .neverEnded else { return .unended }
        var traits = EventTraits.any
        if isUseful, record.page != nil { traits.insert(.page) }
        if record.cause.attempt > 0 { traits.insert(.repeated) }
        if kind == .refresh || record.meaning == .expired { traits.insert(.token) }
        if record.cause.pool > 0 { traits.insert(.beside) }
        if record.cause.screen != .inFront { traits.insert(.hidden) }
        return traits
    }
}

extension EndedRequest {
    var traits: EventTraits {
        var traits = EventTraits.any
        if waited != nil { traits.insert(.held) }
        if wastedAttempts > 0 { traits.insert(.wasted) }
        return traits
    }
}

/// The user of an event, and its moment.
struct User {
    let number: Int
    /// The position of the user's population.
    let population: Int
    /// Nanoseconds since the run began.
    let now: Int64
}

/// The reason for which an attempt was sent, as results tell attempts apart.
enum AttemptKind: Int {
    /// A step asked for it.
    case first
    /// It was sent before and failed.
    case retry
    /// It exchanges an old token for a new one, also when it is sent again or proactive.
    case refresh

    init(_ cause: RequestCause, _ endpoint: Endpoint) {
        self = cause.renews(by: endpoint) ? .refresh : cause.attempt > 0 ? .retry : .first
    }
}

/// An attempt that a client has handed to its transport.
struct SentAttempt {
    let user: User
    let cause: RequestCause
    /// The wait of its request for a new token, in nanoseconds; `nil` when it had none.
    let waited: Int64?
    /// The number of requests that now wait for a new token.
    let held: Int64
}

/// An exchange that has ended for its client, with or without a response.
struct EndedExchange {
    let user: User
    let record: ExchangeRecord
    let kind: AttemptKind
    /// True if it was sent in the measured time.
    let isMeasured: Bool
    /// Its cause, from all calls before it.
    let finding: AttemptCauses.Finding
    /// The number of requests that wait for a new token, when that has changed.
    let held: Int64?

    /// The step that made the call, as long as it runs.
    var runningStep: OpenStep? { finding.step.flatMap { $0.isOver ? nil : $0 } }
}

/// A running step, to which its calls belong; calls may outlive it.
final class OpenStep {
    let ordinal: UInt32
    /// Its position in the run's steps.
    let number: Int
    var isOver = false
    /// The effects of expired tokens on it.
    var tokens = StepTokens()

    init(ordinal: UInt32, number: Int) {
        self.ordinal = ordinal
        self.number = number
    }
}

/// The effects of expired tokens on one step, in the measured time.
struct StepTokens {
    /// Refreshes that its calls caused, before it was over.
    var refreshes: Int64 = 0
    /// True if a call of it was refused as expired, or caused a refresh.
    var isMet = false
    /// The part of the run in which that happened: 1 before the end of a warm-up, 2 after it.
    var heardIn: UInt8 = 0
    /// The part in which it was counted; 0 before it was.
    var countedIn: UInt8 = 0
}

/// A logical request that has ended, or will never end.
struct EndedRequest {
    let user: User
    /// Its number among its user's.
    let number: UInt32
    /// The number of attempts that were wasted on it: all of them if it failed.
    let wastedAttempts: Int64
    /// Its wait for a new token, in nanoseconds; `nil` when it had none.
    let waited: Int64?
    /// The number of requests that now wait for a new token.
    let held: Int64
}

/// A request that waits for a completion that can no longer be called.
struct LostRequest {
    let user: User
    let path: String
    let completion: LostCompletion
}

/// A step that has ended, or that its user has given up.
struct EndedStep {
    let user: User
    let step: RunningStep
    /// Its outcome; `nil` when it never ended.
    let outcome: StepOutcome?
    /// The step to which its calls belong.
    let open: OpenStep
    /// The scripted wait of its app, in nanoseconds: no part of the step's duration.
    let scriptedNanoseconds: Int64

    /// Its position in the run's steps.
    var number: Int { open.number }
}
