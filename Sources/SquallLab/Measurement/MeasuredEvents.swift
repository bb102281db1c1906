import SquallApps
import SquallBackend
import SquallClient
import SquallHTTP

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

extension EndedExchange {
    /// Inlined: a call would take a copy of the exchange.
    @inline(__always)
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
