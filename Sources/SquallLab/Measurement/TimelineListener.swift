import SquallApps
import SquallBackend
import SquallHTTP
import SquallKernel
import SquallReport

/// Counts the columns of `timeseries.csv`; a warm-up does not end them.
final class TimelineListener: Listener {
    @exclusivity(unchecked) private(set) var found: Timeline
    private var usersArrived: Int64 = 0
    private var stepsRunning: Int64 = 0
    private let place: Places

    init(_ run: MeasuredRun) {
        found = Timeline(intervalNanoseconds: run.intervals.timelineNanoseconds)
        place = Places(found.series)
    }

    /// Where each column is, looked up once.
    private struct Places {
        let usersArrived, stepsRunning, stepsEnded, stepsFailed, stepsHung: TimeSeries.Place
        let stepsIdle, requests, succeeded, expired, failed, lost, retries: TimeSeries.Place
        let refreshes, held, signOuts, sentFirst, sentRetry, sentRefresh: TimeSeries.Place
        let goodput, pages, items: TimeSeries.Place

        init(_ series: TimeSeries) {
            usersArrived = series.place(of: .usersArrived)
            stepsRunning = series.place(of: .stepsRunning)
            stepsEnded = series.place(of: .stepsEnded)
            stepsFailed = series.place(of: .stepsFailed)
            stepsHung = series.place(of: .stepsHung)
            stepsIdle = series.place(of: .stepsIdle)
            requests = series.place(of: .requests)
            succeeded = series.place(of: .succeeded)
            expired = series.place(of: .expired)
            failed = series.place(of: .failed)
            lost = series.place(of: .lost)
            retries = series.place(of: .retries)
            refreshes = series.place(of: .refreshes)
            held = series.place(of: .held)
            signOuts = series.place(of: .signOuts)
            sentFirst = series.place(of: .sentFirst)
            sentRetry = series.place(of: .sentRetry)
            sentRefresh = series.place(of: .sentRefresh)
            goodput = series.place(of: .goodput)
            pages = series.place(of: .pages)
            items = series.place(of: .items)
        }
    }
}

extension TimelineListener: VisitListener, StepListener {
    func userArrived(_ user: User) {
        usersArrived += 1
        found.count(place.usersArrived, usersArrived, at: user.now)
    }

    func stepBegan(_ user: User) {
        stepsRunning += 1
        found.count(place.stepsRunning, stepsRunning, at: user.now)
    }

    func stepEnded(_ step: EndedStep) {
        let now = step.user.now
        switch step.outcome {
        case nil: found.count(place.stepsHung, at: now)
        case .loggedOut?: found.count(place.signOuts, at: now)
        case .nothingToDo?: found.count(place.stepsIdle, at: now)
        default: break
        }
        if step.outcome?.isSuccess == false { found.count(place.stepsFailed, at: now) }
        stepsRunning -= 1
        found.count(place.stepsEnded, at: now)
        found.count(place.stepsRunning, stepsRunning, at: now)
    }
}

extension TimelineListener: AttemptListener, RequestListener, ExchangeListener {
    static let heededRequests: EventTraits = .held

    func attemptSent(_ attempt: SentAttempt) {
        let now = attempt.user.now
        switch attempt.kind {
        case .first: found.count(place.sentFirst, at: now)
        case .retry: found.count(place.sentRetry, at: now)
        case .refresh: found.count(place.sentRefresh, at: now)
        }
        if attempt.cause.attempt > 0 { found.count(place.retries, at: now) }
        found.count(place.requests, at: now)
        if attempt.waited != nil { found.count(place.held, attempt.held, at: now) }
    }

    func requestEnded(_ request: EndedRequest) {
        if request.waited != nil { found.count(place.held, request.held, at: request.user.now) }
    }

    func exchangeEnded(_ exchange: EndedExchange) {
        let now = exchange.user.now
        switch exchange.record.meaning {
        case .success: found.count(place.succeeded, at: now)
        case .expired: found.count(place.expired, at: now)
        case .signedOut, .refused, .failure: found.count(place.failed, at: now)
        case .none: found.count(place.lost, at: now)
        }
        if let held = exchange.held { found.count(place.held, held, at: now) }
        if exchange.record.endpoint.role == .refresh { found.count(place.refreshes, at: now) }
        guard exchange.isUseful else { return }
        found.count(place.goodput, at: now)
        guard let page = exchange.record.page else { return }
        found.count(place.pages, at: now)
        found.count(place.items, Int64(page.items.count), at: now)
    }
}

extension EndedExchange {
    /// Whether the app got what it asked for.
    var isUseful: Bool { record.meaning == .success && record.endpoint.role != .refresh }
}
