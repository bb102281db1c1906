import SquallDocument

/// The dictionary of columns: the name and the definition of each column in a run's tables.
///
/// A column that shows a metric has the metric's definition.
extension Column {
    // Who and where.
    static let app = Column("app", .words, "The app its users have, and how it keeps its tokens.")
    static let journey = Column("journey", .words)
    static let step = Column("step", .words)
    static let endpoint = Column("endpoint", .words, "What calls are asked of, by its name.")
    static let path = Column("path", .words, "What is asked for there, with its verb.").onPage
    static let list = Column("list", .words, "The list, by the endpoint that it is asked of.")
    static let paging = Column("by", .words, "How the next page is asked for: cursor or offset.")
    static let users = Column("users", .count, "Users of the population.")
    static let pair = Column("pair", .words, "A population − the one with the same people.")
    static let user = Column("user", .count)

    // When.
    static let time = Column("time", .duration, "Virtual time since the run's beginning.")
    static let from = Column("from", .duration, "When it began.")
    static let until = Column("until", .duration, "When it was over.")
    static let peakAt = Column("peak at", .duration, "When the most refreshes a second came.")
    static let first = Column("the first", .words, "The user who had the first, and when.")
    static let recovered = Column("recovered", .words)

    // First figures.
    static let counted = Column("overall", .words, "Attempts on the wire, or users' steps.")
    static let number = Column("count", .count, "How many ended or were sent.")
    static let perSecond = Column("per second", .rate, "How many each second of the load.")
    static let errorShare = Column("errors", .share, "The share that failed and was not repaired.")

    // Visits and journeys.
    static let offered = Column(
        "visits offered", "offered", .count,
        "Visits that the load asked for, those that waited when measuring began among them.")
    static let underWayBefore = Column(
        "visits under way before", "before", .count, "Visits under way when measuring began.")
    static let begun = Column("visits begun", "begun", .count, "Visits that began.")
    static let refused = Column(
        "visits refused", "refused", .count, "Visits that found no free user, and were not to wait."
    )
    static let waiting = Column(
        "visits waiting", "waiting", .count, "Visits that had not begun when the load ended.")
    static let ended = Column("visits ended", "ended", .count, "Visits that came to their end.")
    static let givenUp = Column(
        "visits given up", "given up", .count, "Visits in which a user gave up a step.")
    static let underWay = Column(
        "visits under way", "under way", .count, "Visits that had not ended when the run did.")
    static let late95 = Column(
        "visits late, p95", "late p95", .duration, "What 95 % of planned visits were late at most."
    )
    static let late = Column("visits late, max", .duration, "How late the latest visit began.")
        .onPage
    static let journeysBegun = Column(
        "journeys begun", "begun", .count, Metric.journeys.summary)
    static let journeyShare = Column(
        "share of journeys", "share", .share, "The share of all journeys that ran.")
    static let askedShare = Column(
        "share asked", "asked", .share, "The share that the profile's weights ask for.")
    static let booked = Column("booked", .count, "Payments that led to a booking.")
    static let unbooked = Column(
        "paid but not booked", "not booked", .count, "Money was taken and nothing was booked.")
    static let cancelled = Column("cancelled", .count, "Payments that the user cancelled.")
    static let declined = Column("payments refused", "refused", .count, "Payments not accepted.")

    // Steps.
    static let stepsEnded = Column("steps ended", "ended", .count, Metric.steps.summary)
    static let stepsFailed = Column(
        "steps failed", "failed", .count, "Steps that ended without what the user came for.")
    static let stepsIdle = Column("steps idle", "idle", .count, Metric.stepsIdle.summary)
    static let stepsHung = Column("steps hung", "hung", .count, Metric.hangs.summary)
    static let saw = Column("the user saw", .words, "What the user saw at the step's end.")
    static let after = Column("after", .words, "The call that failed for good before that.")
    static let request = Column("request", .words, "The call without a response.")
    static let lostIn = Column("lost in", .words, "Where the completion was lost.")
    static let covered = Column(
        "calls of covered screens", "covered", .count, "Calls of screens under another.")
    static let replaced = Column(
        "calls of replaced screens", "replaced", .count, "Calls of screens that never come back.")
    static let hiddenCalls = Column(
        "such calls per step", "per step", .number, "Calls of hidden screens per step ended.")

    // Attempts.
    static let attempts = Column("attempts", .count, Metric.requests.summary)
    static let cause = Column("cause", .words, "Why attempts were sent.")
    static let share = Column(
        "share of attempts", "share", .share, "The share of all attempts sent.")
    static let ordinal = Column("attempt", .count, "The how many-th attempt of its request.")
    static let attemptsEnded = Column(
        "attempts ended", "ended", .count, "Attempts that came to an end.")
    static let attemptsSucceeded = Column(
        "attempts succeeded", "succeeded", .count, "Attempts that succeeded.")
    static let successShare = Column(
        "share succeeded", "share", .share, "The share of attempts ended that succeeded.")
    static let ok = Column("ok", .count, "Attempts answered with a status of 200 to 399.")
    static let clientErrors = Column("4xx", .count, "Attempts answered with 400 to 499.")
    static let serverErrors = Column("5xx", .count, "Attempts answered with 500 or above.")
    static let lost = Column("lost", .count, "Attempts that ended without a response.")
    static let repaired = Column(
        "refused and repaired", "repaired", .count, Metric.expiredRepaired.summary)
    static let neverEnded = Column(
        "attempts without end", "without end", .count, "Attempts that had no end in the run.")
    static let attemptsFailed = Column(
        "attempts failed", "failed", .count, "Attempts that ended without success.")
    static let failedShare = Column("share failed", .share, Metric.requestFailed.summary).onPage
    static let status = Column("status", .words, "What came back: a status, or an error's name.")
    static let wait95 = Column(
        "wait for a connection, p95", "wait p95", .duration, Metric.connectionWait.summary)

    // Times of what the table is about.
    static let p50 = Column("p50", .duration, "The time that half of all do not exceed.")
    static let p95 = Column("p95", .duration, "The time that 95 % of all do not exceed.")
    static let p99 = Column("p99", .duration, "The time that 99 % of all do not exceed.")
    static let p999 = Column("p99.9", .duration, "The time that 99.9 % of all do not exceed.")
        .onPage
    static let longest = Column("max", .duration, "The longest time.")
    static let mean = Column("mean", .duration, "The mean time.").onPage

    // Tokens.
    static let expiries = Column("expiries", .count, "Times a user's token was found expired.")
        .onPage
    static let expiredAnswers = Column(
        "expired responses", "expired", .count, Metric.expiredAnswers.summary)
    static let refreshes = Column("refreshes", .count, Metric.refreshes.summary)
    static let refreshesPerExpiry = Column(
        "refreshes per expiry", "per expiry", .number, Metric.refreshesPerExpiry.summary)
    static let expiredSteps = Column(
        "steps concerned", "steps", .count, "Steps that met an expired token, or refreshed.")
    static let refreshesPerStep = Column(
        "refreshes per expired step", "per step", .number,
        Metric.refreshesPerExpiredStep.summary)
    static let retries = Column("retries", .count, Metric.retries.summary)
    static let peak = Column(
        "refreshes a second at the peak", "peak", .rate, "Refreshes in the busiest second.")
    static let peakRefreshes = Column(
        "refreshes in the peak", "refreshes", .count, "Refreshes from its beginning to its end.")
    static let held = Column("requests held", "held", .count, Glossary.meaning(of: "held"))
    static let signedOut = Column("signed out", "out", .count, Metric.sessionsLost.summary)
    static let wasted = Column(
        "wasted attempts", "wasted", .count,
        "Attempts of requests that failed in the end, and refreshes of tokens already new.")
    static let remark = Column("remark", .words, "What is striking about it.")

    // Expectations, findings, comparisons.
    static let metric = Column("metric", .words, "What is measured, with the tags that select it.")
    static let expected = Column("expected", .words, "The limit and how it is compared.")
    static let observed = Column("observed", .number, "The value that was measured.")
    static let headroom = Column(
        "headroom", .words, "How far inside its limit, or beyond it, as a share of the limit.")
    static let setting = Column("setting", .words, "Its key path in the profile.")
    static let assumedValue = Column("assumed", .words, "The value that the profile has for it.")
    static let effect = Column(
        "effect of ±50 %", .words,
        "The mean response time, or what is named, when it alone is half as much or half more.")
    static let kind = Column("what", .words, "What is compared or was found.")
    static let found = Column("found", .count, "How often it was found.")
    static let example = Column("for example", .sentence, "The first or the worst of them.")
    static let asBuilt = Column("as built", .number, "The app as it was shipped.")
    static let reference = Column("reference", .number, "The same app on the reference design.")
    static let attemptsAHead = Column(
        "attempts a head", "attempts", .number, "More attempts for each person, on average.")
    static let refreshesAHead = Column(
        "refreshes a head", "refreshes", .number, "More refreshes for each person, on average.")
    static let failedAHead = Column(
        "failed steps a head", "failed", .number, "More failed steps for each person, on average.")
    static let hungAHead = Column(
        "hung steps a head", "hung", .number, "More hung steps for each person, on average.")
    static let waitedAHead = Column(
        "waited a head", "waited", .number, "How much longer each person waited, on average.")
    static let series = Column("series", .words, "What was looked at over time.")
    static let settled = Column("settles after", .words, "When its transient was over, by MSER-5.")
    static let fault = Column("fault", .words)
    static let before = Column(
        "useful steps/s before", "before", .rate, "Useful steps a second in the minute before.")
    static let fewest = Column(
        "useful steps/s at the lowest", "lowest", .rate,
        "The same in the ten seconds with the fewest that began during the fault.")
    static let backlog = Column(
        "backlog", .count, "The most requests that waited for a worker until it was worked off.")
    static let atTheEnd = Column(
        "useful steps/s at the end", "at the end", .rate, "The same in the run's last minute.")

    // The server.
    static let station = Column("station", .words, "Where requests wait and are worked on.")
    static let workers = Column("workers", .number, "Requests it can work on at once, on average.")
    static let busy = Column("busy", .share, "The share of the workers' time that was worked.")
    static let connections = Column("connections", .count, "Connections it can use at once.")
    static let inUse = Column("in use", .number, "Connections in use, on average.")
    static let line = Column("mean line", "line", .number, "How many waited, on average over time.")
    static let longestLine = Column("longest line", .count, "The most that ever waited at once.")
    static let meanWait = Column(
        "mean wait", .duration, "How long those served waited, on average.")
    static let p95Wait = Column(
        "p95 wait", "p95", .duration, "95 % of waits are no longer.")
    static let p99Wait = Column(
        "p99 wait", "p99", .duration, "99 % of waits are no longer.")
    static let longestWait = Column("longest wait", .duration, "The longest of the waits.")
    static let served = Column(
        "served", .count, "Requests that a worker took and was not told to drop.")
    static let turnedAway = Column(
        "turned away", .count,
        "Requests that found the queue full, or waited longer than its limit.")
    static let abandoned = Column("let go", .count, "Requests for which no client waited any more.")

    // Lists.
    static let pages = Column("pages", .count, Metric.pages.summary)
    static let items = Column("items", .count, Metric.items.summary)
    static let itemsPerPage = Column("items a page", .number, "Items on a page, on average.")
    static let pageRate = Column("pages/s", .number, "Pages each second of what is measured.")
    static let itemRate = Column("items/s", .number, "Items each second of what is measured.")
    static let readers = Column("readers", .count, "Readings of more than one page.")
    static let firstPage = Column(
        "first page, p50", "first", .duration, "Time from the first call to the first page.")
    static let lastPage = Column(
        "end, p50", "end", .duration,
        "Time from the first call to the last page, of those who got there.")
    static let readerPages = Column(
        "pages/s of a reader", "pages/s", .number, "Pages that one reader got each second.")
    static let readerItems = Column(
        "items/s of a reader", "items/s", .number, "Items that one reader got each second.")
    static let twice = Column(
        "shown twice", "twice", .count, "Items that the same reading had shown before.")
    static let missed = Column("missed", .count, "Items there all the time, and never shown.")
    static let depth = Column("items before", .count, "How deep in the list, from so many on.")
    static let pagesThere = Column("pages of that depth", "pages", .count, "Pages so deep.")
    static let rowsPerPage = Column("rows a page", .number, "Rows the server read for a page.")
    static let timePerPage = Column("time a page", .duration, "How long a page took, on average.")

    /// A column that draws the number before it as a bar.
    static let bar = Column("", .bar, "The number before, drawn.")
}
