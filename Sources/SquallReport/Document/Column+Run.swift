import SquallFormat

/// The dictionary of columns: the name and the definition of each column in a run's tables.
///
/// A column that shows a metric has the metric's definition.
extension Column {
    // Who and where.
    static let app = Column("app", .words, "The app of its users, and its token design.")
    static let journey = Column("journey", .words)
    static let step = Column("step", .words)
    static let endpoint = Column("endpoint", .words, "The name of the endpoint that is called.")
    static let path = Column("path", .words, "The method and path of the call.").onPage
    static let list = Column("list", .words, "The list, by the endpoint that returns it.")
    static let paging = Column(
        "by", .words,
        "How the next page is requested: by cursor or by offset.")
    static let users = Column("users", .count, "Users of the population.")
    static let pair = Column("pair", .words, "A population − the one with the same users.")
    static let user = Column("user", .count)

    // When.
    static let time = Column("time", .duration, "Virtual time since the run's beginning.")
    static let from = Column("from", .duration, "When it began.")
    static let until = Column("until", .duration, "When it was over.")
    static let peakAt = Column("peak at", .duration, "Time of the most refreshes per second.")
    static let first = Column("the first", .words, "The first affected user, and when.")
    static let recovered = Column("recovered", .words)

    // First figures.
    static let counted = Column(
        "overall", .words,
        "Requests are attempts; steps are what users wait for.")
    static let number = Column("count", .count, "Number of attempts sent, or of steps that ended.")
    static let perSecond = Column("per second", .rate, "Number per second of the load.")
    static let errorShare = Column(
        "errors", .share,
        "Share that failed; expired responses that a retry repaired do not count.")

    // Visits and journeys.
    static let offered = Column(
        "visits offered", "offered", .count,
        "Visits that the load planned, including those that waited when measuring began.")
    static let underWayBefore = Column(
        "visits under way at start", "under way at start", .count,
        "Visits in progress when measuring began.")
    static let begun = Column("visits begun", "begun", .count, "Visits that began.")
    static let refused = Column(
        "visits refused", "refused", .count, "Visits that found no free user and did not wait."
    )
    static let waiting = Column(
        "visits waiting", "waiting", .count, "Visits that had not begun when the load ended.")
    static let ended = Column("visits ended", "ended", .count, "Visits that ended.")
    static let visitsAbandoned = Column(
        "visits abandoned", "abandoned", .count, "Visits that ended because a step hung.")
    static let underWay = Column(
        "visits under way", "under way", .count, "Visits that had not ended when the run ended.")
    static let late95 = Column(
        "visits late, p95", "late p95", .duration, "95th percentile of the delay of planned visits."
    )
    static let late = Column("visits late, max", .duration, "How late the latest visit began.")
        .onPage
    static let journeysBegun = Column(
        "journeys begun", "begun", .count, Metric.journeys.summary)
    static let journeyShare = Column(
        "share of journeys", "share", .share, "Share of all journeys of the population.")
    static let targetShare = Column(
        "target share", "target", .share, "Share by the weights in the profile.")
    static let booked = Column("booked", .count, "Payments that led to a booking.")
    static let unbooked = Column(
        "paid but not booked", "not booked", .count, "Payments that were charged but never booked.")
    static let cancelled = Column("cancelled", .count, "Payments that the user cancelled.")
    static let declined = Column(
        "payments refused", "refused", .count,
        "Payments that the provider refused.")

    // Steps.
    static let stepsEnded = Column("steps ended", "ended", .count, Metric.steps.summary)
    static let stepsFailed = Column(
        "steps failed", "failed", .count, "Steps that did not show the user what was asked for.")
    static let stepsIdle = Column("steps idle", "idle", .count, Metric.stepsIdle.summary)
    static let stepsHung = Column("steps hung", "hung", .count, Metric.hangs.summary)
    static let saw = Column("the user saw", .words, "What the user saw at the step's end.")
    static let after = Column("after", .words, "The failed call that caused it.")
    static let request = Column("request", .words, "The call without a response.")
    static let lostIn = Column("lost in", .words, "Where the completion was lost.")
    static let covered = Column(
        "calls of covered screens", "covered", .count,
        "Calls of screens that another screen covers.")
    static let replaced = Column(
        "calls of replaced screens", "replaced", .count, "Calls of screens that never come back.")
    static let hiddenCalls = Column(
        "calls of hidden screens per step", "per step", .number,
        "Calls of hidden screens per step ended.")

    // Attempts.
    static let attempts = Column("attempts", .count, Metric.requests.summary)
    static let cause = Column("cause", .words, "Why the attempts were sent.")
    static let share = Column(
        "share of attempts", "share", .share, "Share of all attempts sent.")
    static let ordinal = Column("attempt", .count, "Number of the attempt within its call.")
    static let attemptsEnded = Column(
        "attempts ended", "ended", .count, "Attempts that ended.")
    static let attemptsSucceeded = Column(
        "attempts succeeded", "succeeded", .count, "Attempts that succeeded.")
    static let successShare = Column(
        "share succeeded", "share", .share, "The share of attempts ended that succeeded.")
    static let ok = Column("ok", .count, "Attempts answered with a status of 200 to 399.")
    static let clientErrors = Column("4xx", .count, "Attempts answered with 400 to 499.")
    static let serverErrors = Column("5xx", .count, "Attempts answered with 500 or above.")
    static let lost = Column("no response", .count, "Attempts that ended without a response.")
    static let repaired = Column(
        "refused and repaired", "repaired", .count, Metric.expiredRepaired.summary)
    static let neverEnded = Column(
        "attempts without end", "without end", .count,
        "Attempts that had not ended at the end of the run.")
    static let attemptsFailed = Column(
        "attempts failed", "failed", .count, "Attempts that ended without success.")
    static let failedShare = Column("share failed", .share, Metric.requestFailed.summary).onPage
    static let status = Column(
        "status", .words,
        "The status of the response, or the name of the error.")
    static let wait95 = Column(
        "wait for a connection, p95", "wait p95", .duration, Metric.connectionWait.summary)

    // Times of what the table is about.
    static let longest = Column("max", .duration, "The largest value.")
    static let mean = Column("mean", .duration, "The mean.").onPage

    // Tokens.
    static let expiries = Column(
        "expiries", .count,
        "Access tokens that the server refused as expired."
    )
    .onPage
    static let expiredResponses = Column(
        "expired responses", "expired", .count, Metric.expiredResponses.summary)
    static let refreshes = Column("refreshes", .count, Metric.refreshes.summary)
    static let refreshesPerExpiry = Column(
        "refreshes per expiry", .number, Metric.refreshesPerExpiry.summary)
    static let expiredSteps = Column(
        "steps concerned", "steps", .count, "Steps that got an expired response or refreshed.")
    static let refreshesPerStep = Column(
        "refreshes per step with an expired token", "refreshes per step", .number,
        Metric.refreshesPerExpiredStep.summary)
    static let retries = Column("retries", .count, Metric.retries.summary)
    static let peak = Column(
        "refreshes/s at the peak", .rate, "Most refreshes per second.")
    static let peakRefreshes = Column(
        "refreshes in the peak", "refreshes", .count, "Refreshes from its beginning to its end.")
    static let held = Column("requests held", "held", .count, Glossary.meaning(of: "held"))
    static let signedOut = Column("sessions lost", .count, Metric.sessionsLost.summary)
    static let wasted = Column(
        "wasted attempts", "wasted", .count,
        "Attempts of calls that ended in an error for the app, and redundant refreshes.")
    static let remark = Column("remark", .words, "A problem of the endpoint, if any.")

    // Expectations, findings, comparisons.
    static let metric = Column("metric", .words, "What is measured, with the tags that select it.")
    static let expected = Column("expected", .words, "The limit and how it is compared.")
    static let observed = Column("observed", .number, "The value that was measured.")
    static let headroom = Column(
        "headroom", .words, "How far inside or beyond the limit, as a share of it.")
    static let setting = Column("setting", .words, "Its key path in the profile.")
    static let assumedValue = Column("assumed", .words, "The value in the profile.")
    static let effect = Column(
        "effect of ±50 %", .words,
        "Change of the mean response time, or of the named metric, if this setting alone is 50 %"
            + " lower or higher.")
    static let kind = Column("what", .words, "What was compared or found.")
    static let found = Column("found", .count, "Number of findings.")
    static let example = Column("for example", .sentence, "The first or the worst of them.")
    static let asBuilt = Column("as built", .number, "The app with its own token design.")
    static let reference = Column("reference", .number, "The same app on the reference design.")
    static let attemptsAHead = Column(
        "attempts a head", "attempts", .number, "Additional attempts per user, on average.")
    static let refreshesAHead = Column(
        "refreshes a head", "refreshes", .number, "Additional refreshes per user, on average.")
    static let failedAHead = Column(
        "failed steps a head", "failed", .number, "Additional failed steps per user, on average.")
    static let hungAHead = Column(
        "hung steps a head", "hung", .number, "Additional hung steps per user, on average.")
    static let waitedAHead = Column(
        "waited a head", "waited", .number, "Additional wait per user, on average.")
    static let series = Column("series", .words, "The time series that was examined.")
    static let settled = Column("settles after", .words, "End of its transient by MSER-5.")
    static let fault = Column("fault", .words)
    static let before = Column(
        "goodput before", .rate,
        "Useful steps per second in the minute before the fault.")
    static let fewest = Column(
        "lowest goodput", "lowest", .rate,
        "Useful steps per second in the worst ten seconds that began during the fault.")
    static let backlog = Column(
        "backlog", .count, "Most requests that waited for a worker during or after the fault.")
    static let atTheEnd = Column(
        "goodput at the end", "at the end", .rate,
        "Useful steps per second in the last minute of the run.")

    // The server.
    static let station = Column("station", .words, "A queue with its workers or connections.")
    static let workers = Column(
        "workers", .number,
        "Requests that it can work on at once, on average.")
    static let busy = Column("busy", .share, "Share of the workers' time in use.")
    static let connections = Column("connections", .count, "Size of the connection pool.")
    static let inUse = Column("in use", .number, "Connections in use, on average.")
    static let line = Column(
        "mean queue", "queue", .number,
        "Mean number of waiting requests over time.")
    static let longestLine = Column("longest queue", .count, "Most requests that waited at once.")
    static let meanWait = Column(
        "mean wait", .duration, "Mean wait of served requests.")
    static let p95Wait = Column(
        "p95 wait", "p95", .duration, "95 % of the waits do not exceed it.")
    static let p99Wait = Column(
        "p99 wait", "p99", .duration, "99 % of the waits do not exceed it.")
    static let longestWait = Column("longest wait", .duration, "The longest wait.")
    static let served = Column(
        "served", .count, "Requests that a worker completed.")
    static let rejected = Column(
        "rejected", .count,
        "Requests refused because the queue was full or they waited too long.")
    static let abandoned = Column(
        "dropped", .count,
        "Requests that were dropped because their client had gone.")

    // Connections.
    static let opened = Column("opened", .count, Metric.connectionsOpened.summary)
    static let reused = Column("reused", .count, Metric.connectionsReused.summary)
    static let endedUnderWay = Column("ended", .count, Metric.connectionsEnded.summary)
    static let lostWithConnection = Column("lost", .count, Metric.requestsLost.summary)
    static let repeatedBelow = Column("repeated", .count, Metric.requestsRepeated.summary)
    static let doneTwice = Column("done twice", .count, Metric.requestsDoneTwice.summary)
    static let part = Column("part", .words, "A part of an attempt's time, in their order.")
    static let partCount = Column(
        "attempts with it", "attempts", .count, "Attempts in which it took any time.")
    static let partMean = Column(
        "mean of the part", "mean", .duration, "Its mean over those attempts.")
    static let partMedian = Column(
        "p50 of the part", "p50", .duration, "Half of them do not exceed it.")
    static let partP95 = Column(
        "p95 of the part", "p95", .duration, "95 % of them do not exceed it.")
    static let launches = Column("visits", .count, "Visits whose first step ended.")

    // Lists.
    static let pages = Column("pages", .count, Metric.pages.summary)
    static let items = Column("items", .count, Metric.items.summary)
    static let itemsPerPage = Column("items a page", .number, "Items on a page, on average.")
    static let pageRate = Column("pages/s", .number, "Pages per second of the measured time.")
    static let itemRate = Column("items/s", .number, "Items per second of the measured time.")
    static let readers = Column(
        "readers", .count,
        "Times that a list was read over more than one page.")
    static let firstPage = Column(
        "first page, p50", "first", .duration, "Time from the first call to the first page.")
    static let lastPage = Column(
        "end, p50", "end", .duration,
        "Time from the first call to the last page, if it was reached.")
    static let readerPages = Column(
        "pages/s of a reader", "pages/s", .number, "Pages per second of one reader.")
    static let readerItems = Column(
        "items/s of a reader", "items/s", .number, "Items per second of one reader.")
    static let twice = Column(
        "shown twice", "twice", .count, "Items that the same reader had seen before.")
    static let missed = Column(
        "missed", .count,
        "Items that were in the list all the time and were never shown.")
    static let depth = Column("items before", .count, "Number of items before the page, at least.")
    static let pagesThere = Column(
        "pages of that depth", "pages", .count,
        "Number of pages at that depth.")
    static let rowsPerPage = Column("rows a page", .number, "Rows that the server read per page.")
    static let timePerPage = Column("time a page", .duration, "Mean time of a page.")

    /// A column that draws the number before it as a bar.
    static let bar = Column("", .bar, "The number before it, as a bar.")
}
