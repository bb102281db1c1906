import SquallApps
import SquallBackend
import SquallHTTP
import SquallKernel
import SquallReport

/// Counts the columns of `timeseries.csv`; a warm-up does not end them.
final class TimelineListener: Listener {
    private var timeline: Timeline
    private var waits: IntervalWaits
    private var usersArrived: Int64 = 0
    private var stepsRunning: Int64 = 0

    init(_ run: MeasuredRun) {
        timeline = Timeline(intervalNanoseconds: run.intervals.timelineNanoseconds)
        waits = IntervalWaits(intervalNanoseconds: run.intervals.timelineNanoseconds)
    }

    /// The rows, the last one up to the present moment.
    var found: Timeline {
        var (timeline, waits) = (timeline, waits)
        waits.close(into: &timeline)
        return timeline
    }
}

extension TimelineListener: VisitListener, StepListener {
    func userArrived(_ user: User) {
        usersArrived += 1
        timeline.count(.usersArrived, usersArrived, at: user.now)
    }

    func stepBegan(_ user: User) {
        stepsRunning += 1
        timeline.count(.stepsRunning, stepsRunning, at: user.now)
    }

    func stepEnded(_ step: EndedStep) {
        let now = step.user.now
        switch step.end {
        case .done: break
        case .givenUp: timeline.count(.stepsHung, at: now)
        case .idle: timeline.count(.stepsIdle, at: now)
        case .failed: timeline.count(.stepsFailed, at: now)
        case .signedOut:
            timeline.count(.signOuts, at: now)
            timeline.count(.stepsFailed, at: now)
        }
        stepsRunning -= 1
        timeline.count(.stepsEnded, at: now)
        timeline.count(.stepsRunning, stepsRunning, at: now)
    }
}

extension TimelineListener: AttemptListener, RequestListener, ExchangeListener {
    func attemptSent(_ attempt: SentAttempt) {
        let now = attempt.user.now
        switch attempt.kind {
        case .first: timeline.count(.sentFirst, at: now)
        case .retry: timeline.count(.sentRetry, at: now)
        case .refresh: timeline.count(.sentRefresh, at: now)
        }
        if attempt.cause.attempt > 0 { timeline.count(.retries, at: now) }
        timeline.count(.requests, at: now)
        if attempt.waited != nil { timeline.count(.held, attempt.held, at: now) }
    }

    func requestEnded(_ request: EndedRequest) {
        if request.waited != nil { timeline.count(.held, request.held, at: request.user.now) }
    }

    func exchangeEnded(_ exchange: EndedExchange) {
        let now = exchange.user.now
        switch exchange.record.meaning {
        case .success: timeline.count(.succeeded, at: now)
        case .expired: timeline.count(.expired, at: now)
        case .signedOut, .refused, .failure: timeline.count(.failed, at: now)
        case .none: timeline.count(.lost, at: now)
        }
        if let held = exchange.held { timeline.count(.held, held, at: now) }
        if exchange.record.endpoint.role == .refresh { timeline.count(.refreshes, at: now) }
        guard exchange.isUseful else { return }
        timeline.count(.goodput, at: now)
        guard let page = exchange.record.page else { return }
        timeline.count(.pages, at: now)
        timeline.count(.items, Int64(page.items.count), at: now)
    }
}

extension TimelineListener: ServerListener {
    func lineLeft(_ endpoint: Endpoint, after wait: Int64, _ user: User) {
        waits.record(wait, at: user.now, into: &timeline)
    }

    func serverChanged(busy: Int64, waiting: Int64, at now: Int64) {
        timeline.count(.workersBusy, busy, at: now)
        timeline.count(.serverQueue, waiting, at: now)
    }
}

extension EndedExchange {
    /// Whether the app got what it asked for.
    var isUseful: Bool { record.meaning == .success && record.endpoint.role != .refresh }
}
