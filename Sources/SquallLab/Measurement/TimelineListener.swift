import SquallBackend
import SquallReport

/// Counts the columns of `timeseries.csv`; a warm-up does not reset them.
///
/// The columns by which peaks and recoveries are found are counted by population; the whole is the
/// sum.
final class TimelineListener: Listener {
    @exclusivity(unchecked) private var timeline: TimeSeries
    @exclusivity(unchecked) private var parts: [TimeSeries]
    @exclusivity(unchecked) private var waits: IntervalWaits
    @exclusivity(unchecked) private var usersArrived: Int64 = 0
    @exclusivity(unchecked) private var stepsRunning: Int64 = 0
    @exclusivity(unchecked) private var serverQueue: Int64 = 0
    private let place: Places
    private let run: MeasuredRun

    init(_ run: MeasuredRun) {
        self.run = run
        timeline = TimeSeries(
            columns: TimelineColumn.builtIn,
            intervalNanoseconds: run.intervals.timelineNanoseconds)
        let part = TimeSeries(
            columns: [.refreshes, .stepsEnded, .stepsFailed],
            intervalNanoseconds: run.intervals.timelineNanoseconds)
        parts = run.populations.map { _ in part }
        place = Places(timeline, part)
        waits = IntervalWaits(intervalNanoseconds: run.intervals.timelineNanoseconds)
    }

    /// The rows of all users and of each population, the last one up to the present moment.
    var found: (whole: TimeSeries, parts: [TimeSeries]) {
        var (whole, waits) = (timeline, waits)
        waits.close(into: &whole)
        for part in parts { whole.add(part) }
        // Sums that need not be counted at each event.
        whole.add([.firstAttempts, .retries, .refreshes], to: .requests)
        whole.add([.goodput], to: .succeeded)
        return (whole, parts)
    }

    func close() {
        timeline.close()
        for index in parts.indices { parts[index].close() }
    }

    /// The position of each column, looked up once.
    private struct Places {
        let usersArrived, stepsRunning, stepsEnded, stepsFailed, stepsHung: TimeSeries.Place
        let stepsIdle, renewed, expired, failed, lost, retries: TimeSeries.Place
        let refreshes, held, sessionsLost, firstAttempts: TimeSeries.Place
        let goodput, pages, items, workersBusy, serverQueue: TimeSeries.Place

        init(_ series: TimeSeries, _ part: TimeSeries) {
            usersArrived = series.place(of: .usersArrived)
            stepsRunning = series.place(of: .stepsRunning)
            stepsEnded = part.place(of: .stepsEnded)
            stepsFailed = part.place(of: .stepsFailed)
            stepsHung = series.place(of: .stepsHung)
            stepsIdle = series.place(of: .stepsIdle)
            renewed = series.place(of: .succeeded)
            expired = series.place(of: .expired)
            failed = series.place(of: .failed)
            lost = series.place(of: .lost)
            retries = series.place(of: .retries)
            refreshes = part.place(of: .refreshes)
            held = series.place(of: .held)
            sessionsLost = series.place(of: .sessionsLost)
            firstAttempts = series.place(of: .firstAttempts)
            goodput = series.place(of: .goodput)
            pages = series.place(of: .pages)
            items = series.place(of: .items)
            workersBusy = series.place(of: .workersBusy)
            serverQueue = series.place(of: .serverQueue)
        }
    }
}

extension TimelineListener: VisitListener, StepListener {
    func userArrived(_ user: User) {
        usersArrived += 1
        timeline.count(place.usersArrived, usersArrived, at: user.now)
    }

    func stepBegan(_ user: User) {
        stepsRunning += 1
        timeline.count(place.stepsRunning, stepsRunning, at: user.now)
    }

    func stepEnded(_ step: EndedStep) {
        let (now, population) = (step.user.now, step.user.population)
        switch step.end {
        case .done: parts[population].count(place.stepsEnded, at: now)
        case .hung: timeline.count(place.stepsHung, at: now)
        case .idle: timeline.count(place.stepsIdle, at: now)
        case .failed, .signedOut:
            parts[population].count(place.stepsEnded, at: now)
            parts[population].count(place.stepsFailed, at: now)
            if step.end == .signedOut { timeline.count(place.sessionsLost, at: now) }
        }
        stepsRunning -= 1
        timeline.count(place.stepsRunning, stepsRunning, at: now)
    }
}

extension TimelineListener: AttemptListener, RequestListener, ExchangeListener {
    static let observedRequests: EventTraits = .held

    func attemptSent(_ attempt: SentAttempt) {
        if attempt.waited != nil { timeline.count(place.held, attempt.held, at: attempt.user.now) }
    }

    func attemptTaken(_ kind: AttemptKind, _ user: User) {
        switch kind {
        case .first: timeline.count(place.firstAttempts, at: user.now)
        case .retry: timeline.count(place.retries, at: user.now)
        case .refresh: parts[user.population].count(place.refreshes, at: user.now)
        }
    }

    func requestEnded(_ request: EndedRequest) {
        if request.waited != nil { timeline.count(place.held, request.held, at: request.user.now) }
    }

    /// Counts the moment of its end; of a request sent in the warm-up that ended after it, the
    /// warm-up's last moment, so that the rows after it add up to the metrics.
    func exchangeEnded(_ exchange: EndedExchange) {
        let isMeasured = run.measures(sentAt: exchange.record.handedOver)
        let now = isMeasured ? exchange.user.now : min(exchange.user.now, run.measuredAfter - 1)
        switch exchange.record.meaning {
        case .success:
            timeline.count(exchange.isUseful ? place.goodput : place.renewed, at: now)
        case .expired where exchange.isExpired: timeline.count(place.expired, at: now)
        case .expired, .signedOut, .refused, .failure: timeline.count(place.failed, at: now)
        case .none: timeline.count(place.lost, at: now)
        }
        if let held = exchange.held {
            timeline.count(place.held, held, at: exchange.user.now)
        }
        guard exchange.isUseful, let page = exchange.record.page else { return }
        timeline.count(place.pages, at: now)
        timeline.count(place.items, Int64(page.items.count), at: now)
    }
}

extension TimelineListener: ServerListener {
    func lineLeft(_ endpoint: Endpoint, after wait: Int64, _ user: User) {
        waits.record(wait, at: user.now, into: &timeline)
    }

    func serverChanged(busy: Int64, waiting: Int64, at now: Int64) {
        timeline.count(place.workersBusy, busy, at: now)
        // A level stays until the next sample, and mostly no request waits.
        guard waiting != serverQueue else { return }
        serverQueue = waiting
        timeline.count(place.serverQueue, waiting, at: now)
    }
}

extension EndedExchange {
    /// True for the expired response to a call, not to a refresh.
    var isExpired: Bool { record.meaning == .expired && kind != .refresh }

    /// True if the app got what it asked for.
    var isUseful: Bool { record.meaning == .success && record.endpoint.role != .refresh }
}

/// The waits in line of the present interval of the time series, until their percentiles are in its
/// row.
///
/// Where a worker is always free it is only a count; waits that took time are kept and sorted.
struct IntervalWaits {
    private let intervalNanoseconds: Int64
    private var interval: Int64 = 0
    private var count = 0
    /// The waits that took time.
    private var waits: [Int64] = []

    init(intervalNanoseconds: Int64) { self.intervalNanoseconds = intervalNanoseconds }

    /// Adds the wait of a request; the first one of a later interval writes a row.
    mutating func record(_ wait: Int64, at now: Int64, into timeline: inout TimeSeries) {
        if now >= (interval + 1) * intervalNanoseconds {
            close(into: &timeline)
            waits.removeAll(keepingCapacity: true)
            count = 0
            interval = now / intervalNanoseconds
        }
        count += 1
        if wait > 0 { waits.append(wait) }
    }

    /// Writes the present interval so far: the smallest waits that the shares do not exceed,
    /// exactly.
    mutating func close(into timeline: inout TimeSeries) {
        guard !waits.isEmpty else { return }
        waits.sort()
        let moment = interval * intervalNanoseconds
        let columns: [(TimelineColumn, Int)] = [
            (.serverWaitP50, 50), (.serverWaitP95, 95), (.serverWaitP99, 99),
        ]
        for (column, percentile) in columns {
            let rank = (count * percentile + 99) / 100 - (count - waits.count)
            guard rank > 0 else { continue }
            timeline.count(column, waits[rank - 1], at: moment)
        }
    }
}

/// The intervals in which a run is measured over time.
struct Intervals {
    /// The time that one row of `timeseries.csv` covers.
    let timelineNanoseconds: Int64
    /// The time that one histogram of `latency.hlog` covers: whole rows, and few enough histograms
    /// that neither memory nor the file grows with the length of the run.
    let latencyNanoseconds: Int64

    private static let latencyIntervals: Int64 = 240

    init(timelineNanoseconds: Int64, durationNanoseconds: Int64) {
        self.timelineNanoseconds = timelineNanoseconds
        let span = timelineNanoseconds * Intervals.latencyIntervals
        let rows = max(1, (durationNanoseconds + span - 1) / span)
        latencyNanoseconds = timelineNanoseconds * rows
    }
}
