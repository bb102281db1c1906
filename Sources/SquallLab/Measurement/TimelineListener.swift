import SquallApps
import SquallBackend
import SquallHTTP
import SquallKernel
import SquallReport

/// Counts the columns of `timeseries.csv`; a warm-up does not end them.
final class TimelineListener: Listener {
    private(set) var found: Timeline
    private var usersArrived: Int64 = 0
    private var stepsRunning: Int64 = 0

    init(_ run: MeasuredRun) {
        found = Timeline(intervalNanoseconds: run.intervals.timelineNanoseconds)
    }
}

extension TimelineListener: VisitListener, StepListener {
    func userArrived(_ user: User) {
        usersArrived += 1
        found.count(.usersArrived, usersArrived, at: user.now)
    }

    func stepBegan(_ user: User) {
        stepsRunning += 1
        found.count(.stepsRunning, stepsRunning, at: user.now)
    }

    func stepEnded(_ step: EndedStep) {
        let now = step.user.now
        switch step.outcome {
        case nil: found.count(.stepsHung, at: now)
        case .loggedOut?: found.count(.signOuts, at: now)
        case .nothingToDo?: found.count(.stepsIdle, at: now)
        default: break
        }
        if step.outcome?.isSuccess == false { found.count(.stepsFailed, at: now) }
        stepsRunning -= 1
        found.count(.stepsEnded, at: now)
        found.count(.stepsRunning, stepsRunning, at: now)
    }
}

extension TimelineListener: AttemptListener, RequestListener, ExchangeListener {
    func attemptSent(_ attempt: SentAttempt) {
        let now = attempt.user.now
        switch attempt.kind {
        case .first: found.count(.sentFirst, at: now)
        case .retry: found.count(.sentRetry, at: now)
        case .refresh: found.count(.sentRefresh, at: now)
        }
        if attempt.cause.attempt > 0 { found.count(.retries, at: now) }
        found.count(.requests, at: now)
        if attempt.waited != nil { found.count(.held, attempt.held, at: now) }
    }

    func requestEnded(_ request: EndedRequest) {
        if request.waited != nil { found.count(.held, request.held, at: request.user.now) }
    }

    func exchangeEnded(_ exchange: EndedExchange) {
        let now = exchange.user.now
        switch exchange.record.meaning {
        case .success: found.count(.succeeded, at: now)
        case .expired: found.count(.expired, at: now)
        case .signedOut, .refused, .failure: found.count(.failed, at: now)
        case .none: found.count(.lost, at: now)
        }
        if let held = exchange.held { found.count(.held, held, at: now) }
        if exchange.record.endpoint.role == .refresh { found.count(.refreshes, at: now) }
        guard exchange.isUseful else { return }
        found.count(.goodput, at: now)
        guard let page = exchange.record.page else { return }
        found.count(.pages, at: now)
        found.count(.items, Int64(page.items.count), at: now)
    }
}

extension EndedExchange {
    /// Whether the app got what it asked for.
    var isUseful: Bool { record.meaning == .success && record.endpoint.role != .refresh }
}
