import SquallApps
import SquallBackend
import SquallHTTP
import SquallKernel

/// Takes every semantic event into the run's digest.
final class DigestListener: Listener {
    private let simulation: Simulation

    init(_ run: MeasuredRun) { simulation = run.simulation }

    private func record(_ kind: EventKind, _ user: User, _ number: UInt32, outcome: UInt64) {
        simulation.record(
            kind, user: UInt64(user.number), request: UInt64(number), outcome: outcome)
    }
}

extension DigestListener: AttemptListener, ExchangeListener {
    func attemptSent(_ attempt: SentAttempt) {
        let cause = attempt.cause
        record(.attemptSent, attempt.user, cause.request, outcome: UInt64(cause.attempt))
    }

    func exchangeEnded(_ exchange: EndedExchange) {
        record(
            .exchangeEnded, exchange.user, exchange.record.cause.request,
            outcome: UInt64(bitPattern: Int64(exchange.record.outcome.code)))
    }
}

extension DigestListener: StepListener, BackendListener {
    func stepEnded(_ step: EndedStep) {
        let kind: EventKind = step.outcome == nil ? .stepHung : .stepEnded
        record(kind, step.user, step.open.ordinal, outcome: UInt64(step.outcome?.digestCode ?? 0))
    }

    func stepEndedLate(_ user: User, ordinal: UInt32) {
        record(.stepEndedLate, user, ordinal, outcome: 0)
    }

    func faultStruck(_ fault: Fault) {
        simulation.record(.faultStruck, user: 0, request: 0, outcome: 0)
    }
}

extension EventKind {
    fileprivate static let attemptSent = EventKind("attempt sent")
    fileprivate static let exchangeEnded = EventKind("exchange ended")
    fileprivate static let faultStruck = EventKind("fault struck")
    fileprivate static let stepEnded = EventKind("step ended")
    fileprivate static let stepHung = EventKind("step hung")
    fileprivate static let stepEndedLate = EventKind("step ended late")
}

extension ExchangeRecord.Outcome {
    /// A status, or the negative number of the error.
    fileprivate var code: Int {
        switch self {
        case .status(let status): status
        case .error(let code): code.rawValue
        case .neverEnded: 0
        }
    }
}

extension StepOutcome {
    /// A number for the digest: different for every kind of outcome.
    var digestCode: Int {
        switch self {
        case .rendered: 0
        case .toast: 1
        case .stuck: 2
        case .loggedOut: 3
        case .charged: 4
        case .nothingToDo: 5
        case .alert: 6
        case .stale: 7
        case .wrong: 8
        case .missing: 9
        case .lost: 10
        case .crashed: 11
        case .chargedTwice: 12
        }
    }
}
