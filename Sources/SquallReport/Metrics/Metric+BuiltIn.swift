extension Metric {
    /// Problems found although no call failed, by kind.
    public static let auditFindings = Metric(
        "audit_findings", .counter, .count, [.app, .cause, .design, .population],
        "Things that are wrong although no call failed, by their kind.")
    /// Answers that said the access token had expired.
    public static let expiredAnswers = Metric(
        "expired_answers", .counter, .count, ofStep + [.endpoint],
        "Answers that said the access token had expired.")
    /// Steps that never ended; their users gave them up when their patience ended.
    public static let hangs = Metric(
        "hangs", .counter, .count, ofStep,
        "Steps that never ended and were given up when the user's patience did.")
    /// Calls of screens that were covered or replaced at the time, refreshes included.
    ///
    /// A covered screen can come back into sight; a replaced one never does.
    public static let hiddenScreenCalls = Metric(
        "hidden_screen_calls", .counter, .count, ofStep + [.cause, .endpoint],
        "Calls of screens that were covered or replaced when they asked, refreshes included.",
        values: [.cause: ["covered", "replaced"]])
    /// Items of lists that arrived in pages.
    public static let items = Metric(
        "items", .counter, .count, ofEndpoint,
        "Items of lists that arrived in pages.")
    /// Journeys in which their goal was reached; for a payment, that money was taken.
    ///
    /// If ten or more of a population's journeys ended and none reached it, that is a finding,
    /// `deed.missed`, and the run fails: it did not test what it asks. Fewer journeys do not count.
    public static let journeyDeeds = Metric(
        "journey_deeds", .counter, .count, ofUser + [.journey],
        "Journeys in which what they are for was done; a payment counts when money was taken.")
    /// How late planned journeys began; those that had not begun when the load ended count with the
    /// time they had waited.
    public static let journeyDelay = Metric(
        "journey_delay", .trend, .nanoseconds, ofUser,
        "How late planned journeys began, or how long they had waited at the end.")
    /// Journeys that users began.
    public static let journeys = Metric(
        "journeys", .counter, .count, ofUser + [.journey],
        "Journeys that users began.")
    /// Calls that were sent, refreshes included; retries do not count again.
    public static let logicalRequests = Metric(
        "logical_requests", .counter, .count, ofEndpoint,
        "Calls sent, refreshes included, each counted once however often it was sent.")
    /// Pages of lists that arrived.
    public static let pages = Metric(
        "pages", .counter, .count, ofEndpoint,
        "Pages of lists that arrived.")
    /// Visits to the payment page by how they ended: booked, unbooked, cancelled, refused.
    public static let payments = Metric(
        "payments", .counter, .count, ofUser + [.status],
        "Visits to the payment page by their end: booked, unbooked, cancelled, refused.",
        values: [.status: ["booked", "cancelled", "refused", "unbooked"]])
    /// Time from a request's expired answer to its next attempt or end.
    public static let refreshWait = Metric(
        "refresh_wait", .trend, .nanoseconds, ofUser,
        "Time from a request's expired answer to its next attempt or end.")
    /// Refreshes sent, by the endpoint with the answer that caused them.
    public static let refreshes = Metric(
        "refreshes", .counter, .count, ofStep + [.cause],
        "Attempts sent that refresh a token, by the endpoint whose answer caused them or app.")
    /// Refreshes per step that was refused as expired or refreshed; 1 is ideal.
    public static let refreshesPerExpiredStep = Metric(
        "refreshes_per_expired_step", .ratio, .ratio, ofStep,
        "Refreshes for each step that was refused as expired or refreshed; 1 is ideal.")
    /// Refreshes per expiry of a user's token; 1 is ideal.
    public static let refreshesPerExpiry = Metric(
        "refreshes_per_expiry", .ratio, .ratio, ofUser,
        "Refreshes for each time a user's token was found expired; 1 is ideal.")
    /// Time that an attempt waited for one of its user's connections; 0 if one was free.
    public static let connectionWait = Metric(
        "connection_wait", .trend, .nanoseconds, ofEndpoint,
        "Time an attempt waited for one of its user's connections; 0 when one was free.")
    /// Time of one attempt on the wire, from getting a connection to its last byte.
    ///
    /// The wait for a connection is ``connectionWait``; time-outs also count from the wire.
    public static let requestDuration = Metric(
        "request_duration", .trend, .nanoseconds, ofAttempt,
        "Time of one attempt on the wire, from when it had a connection to its last byte.",
        values: causesOfAttempts)
    /// Share of attempts that ended without an answer or with an error status.
    public static let requestFailed = Metric(
        "request_failed", .rate, .ratio, ofAttempt,
        "Share of the attempts that ended which got no answer or an error status.",
        values: causesOfAttempts)
    /// Attempts sent: first ones, retries and refreshes, including those that never ended.
    public static let requests = Metric(
        "requests", .counter, .count, ofAttempt,
        "Attempts sent: first ones, retries and refreshes; status neverEnded: no end.",
        values: causesOfAttempts)
    /// Attempts sent that are not their call's first, refreshes left out.
    public static let retries = Metric(
        "retries", .counter, .count, ofStep + [.endpoint],
        "Attempts sent that are not their call's first, no refreshes.")
    /// Users who were signed out, by the refused call after which the app did so.
    public static let sessionsLost = Metric(
        "sessions_lost", .counter, .count, ofStep + [.cause],
        "Users who were signed out, by the call after whose refusal the app did so.")
    /// Time from a step's planned start to its end, retries and refreshes included; a step that was
    /// given up counts with the time the user waited.
    public static let stepDuration = Metric(
        "step_duration", .trend, .nanoseconds, ofStep,
        "Time from a step's planned start to its end, or until it was given up.")
    /// Share of steps that ended without what the user came for.
    public static let stepFailed = Metric(
        "step_failed", .rate, .ratio, ofStep,
        "Share of steps that ended without what the user came for.")
    /// Steps that ended, successful or failed.
    public static let steps = Metric(
        "steps", .counter, .count, ofStep,
        "User actions that came to an end, done or failed.")
    /// Steps for which there was nothing to do; no other metric of steps counts them.
    public static let stepsIdle = Metric(
        "steps_idle", .counter, .count, ofStep,
        "User actions for which there was nothing to do; no other metric counts them.")
    /// Users in a session: neither away nor still to arrive.
    public static let usersActive = Metric(
        "users_active", .gauge, .count, [],
        "Users in a session: neither away nor still to arrive.")

    /// The tags of a series' user; every series has them, so that designs are never merged.
    public static let ofUser: [TagKey] = [.app, .design, .population]
    /// The causes of refreshes without a known endpoint: the app asked by itself, or the refused
    /// call belongs to a step that is over.
    public static let causesWithoutEndpoint = ["app", "unknown"]
    private static let causesOfAttempts: [TagKey: [String]] = [
        .cause: ["first", "refresh", "retry"]
    ]
    private static let ofEndpoint = ofUser + [.endpoint]
    private static let ofStep = ofUser + [.journey, .step]
    private static let ofAttempt = ofEndpoint + [.cause, .status]
}
