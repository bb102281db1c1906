import SquallApps
import SquallBackend
import SquallClient
import SquallHTTP

/// The user of an event, and its moment.
struct User {
    let number: Int
    /// The position of the user's population.
    let population: Int
    /// Nanoseconds since the run began.
    let now: Int64
}

/// Why an attempt was sent, as results tell attempts apart.
enum AttemptKind: Int {
    /// A step asked for it.
    case first
    /// It was sent before and failed.
    case retry
    /// It trades an old token for a new one, also when it is sent again or proactive.
    case refresh

    init(_ cause: RequestCause, _ endpoint: Endpoint) {
        self = endpoint.role == .refresh ? .refresh : cause.attempt > 0 ? .retry : .first
    }
}

/// An attempt that a client has handed to its transport.
struct SentAttempt {
    let user: User
    let cause: RequestCause
    /// How long its request had waited for a new token; `nil` when it had not.
    let waited: Int64?
    /// How many requests now wait for one.
    let held: Int64
}

/// An exchange of which the client has an answer, or knows that there will be none.
struct EndedExchange {
    let user: User
    let record: ExchangeRecord
    let kind: AttemptKind
    /// Whether it was sent in the measured time.
    let isMeasured: Bool
    /// What is known of it from all calls before it.
    let finding: AttemptCauses.Finding
    /// How many requests wait for a new token, when that has changed.
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
    /// Whether a call of it was refused as expired, or caused a refresh.
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
    /// How many attempts were wasted on it: all of them if it failed.
    let wastedAttempts: Int64
    /// How long it had waited for a new token; `nil` when it had not.
    let waited: Int64?
    /// How many requests now wait for one.
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
    /// How long its app waits in it whatever the server does, in nanoseconds.
    let scriptedNanoseconds: Int64

    /// Its position in the run's steps.
    var number: Int { open.number }
}
