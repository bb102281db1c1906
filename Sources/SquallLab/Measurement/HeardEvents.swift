import SquallApps
import SquallBackend
import SquallClient
import SquallHTTP

/// Whose event it is, and when it happens.
struct User {
    let number: Int
    /// The position of the user's population.
    let population: Int
    /// Nanoseconds since the run began.
    let now: Int64
}

/// An attempt that a client has handed to its transport.
struct SentAttempt {
    let user: User
    let cause: RequestCause
    let kind: ExchangeKind.Cause
    /// How long its request had waited for a new token; `nil`: it did not.
    let waited: Int64?
    /// How many requests wait for one now.
    let held: Int64
}

/// An exchange of which the client has its answer, or knows that there will be none.
struct EndedExchange {
    let user: User
    let record: ExchangeRecord
    /// Why it was sent, as the client saw it.
    let kind: ExchangeKind.Cause
    /// The one cause of the call.
    let cause: WireCause
    /// Whether its answer is the first to say that the user's token has expired.
    let beginsExpiry: Bool
    /// How many requests wait for a new token, when that has changed.
    let held: Int64?
    /// The step it belongs to, as a position in the run's steps; `nil` when that is over.
    let step: Int?
}

/// A logical request that has ended, or will never end.
struct EndedRequest {
    let user: User
    /// How many attempts were wasted on it: all of them if it failed.
    let wastedAttempts: Int64
    /// How long it had waited for a new token; `nil`: it did not.
    let waited: Int64?
    /// How many requests wait for one now.
    let held: Int64
}

/// A request that waits for a completion which nobody can call any more.
struct LostRequest {
    let user: User
    let path: String
    let completion: LostCompletion
}

/// A step that has ended, or that its user has given up.
struct EndedStep {
    let user: User
    let ordinal: UInt32
    /// Its position in the run's steps.
    let number: Int
    let step: RunningStep
    /// What it showed; `nil` when it never ended.
    let outcome: StepOutcome?
    /// Whether the user's access token had already expired when it began.
    let beganExpired: Bool
}
