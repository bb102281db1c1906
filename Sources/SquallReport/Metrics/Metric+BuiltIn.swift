/// The metrics of any run; each one's text defines it.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Metric {
    public static let auditFindings = Metric(
        "audit_findings", .counter, [.app, .cause, .design, .population],
        "Things that are wrong although no call failed, by their kind.")
    public static let attemptsWasted = Metric(
        "attempts_wasted", .counter, ofUser,
        "Attempts of calls that failed in the end, and redundant refreshes.")
    public static let expiredAnswers = Metric(
        "expired_answers", .counter, ofStep + [.endpoint],
        "Responses that refused an expired access token.")
    // The design's own work: no failure, and told apart from retries of other kinds.
    public static let expiredRepaired = Metric(
        "expired_repaired", .counter, ofEndpoint,
        "Expired responses after which the same call succeeded: refused and repaired.")
    public static let hangs = Metric(
        "hangs", .counter, ofStep,
        "Steps that never ended and were given up when the user's patience did.")
    // A covered screen can come back into sight; a replaced one never does.
    public static let hiddenScreenCalls = Metric(
        "hidden_screen_calls", .counter, ofStep + [.cause, .endpoint],
        "Calls of screens that were covered or replaced when they asked, refreshes included.",
        values: [.cause: ["covered", "replaced"]])
    public static let items = Metric(
        "items", .counter, ofEndpoint, "Items of lists that arrived in pages.")
    // If ten or more of a population's journeys ended and none reached its goal, that is a
    // finding, `deed.missed`, and the run fails: it did not test what it asks.
    public static let journeyGoals = Metric(
        "journey_deeds", .counter, ofUser + [.journey],
        "Journeys in which what they are for was done; a payment counts when money was taken.")
    public static let journeyDelay = Metric(
        "journey_delay", .trend, ofUser,
        "How late planned journeys began, or how long they had waited at the end.")
    public static let journeys = Metric(
        "journeys", .counter, ofUser + [.journey], "Journeys that users began.")
    public static let logicalRequests = Metric(
        "logical_requests", .counter, ofEndpoint,
        "Calls sent, refreshes included, each counted once however often it was sent.")
    public static let pages = Metric(
        "pages", .counter, ofEndpoint, "Pages of lists that arrived.")
    public static let payments = Metric(
        "payments", .counter, ofUser + [.status],
        "Visits to the payment page by their end: booked, unbooked, cancelled, refused.",
        values: [.status: ["booked", "cancelled", "refused", "unbooked"]])
    public static let refreshLoops = Metric(
        "refresh_loops", .counter, ofUser,
        "Calls that were refused as expired and refreshed three times or more in one step.")
    public static let refreshWait = Metric(
        "refresh_wait", .trend, ofUser,
        "Time from a request's expired response to its next attempt or end.")
    public static let refreshes = Metric(
        "refreshes", .counter, ofStep + [.cause],
        "Attempts sent that refresh a token, by the endpoint that refused, or app.")
    public static let refreshesPerExpiredStep = Metric(
        "refreshes_per_expired_step", .ratio, ofStep,
        "Refreshes for each step that was refused as expired or refreshed; 1 is ideal.")
    public static let refreshesPerExpiry = Metric(
        "refreshes_per_expiry", .ratio, ofUser,
        "Refreshes per expired access token; the same token refused again, whatever was refreshed"
            + " meanwhile, is the same expiry, and 1 is ideal. Redundant are refreshes beside or"
            + " after one that succeeded for that expiry, and those that show a refresh token that"
            + " was refused or exchanged; three for one call in one step are a loop.")
    public static let refreshesRedundant = Metric(
        "refreshes_redundant", .counter, ofUser,
        "Refreshes that their expiry did not need, or that showed a refresh token that was refused"
            + " or exchanged before.")
    public static let refreshesUnprompted = Metric(
        "refreshes_unprompted", .counter, ofUser,
        "Refreshes that the app sent without an expiry, as at launch.")
    public static let connectionWait = Metric(
        "connection_wait", .trend, ofEndpoint,
        "Time an attempt waited for one of its user's connections; 0 when one was free.")
    // Time-outs also count from when the attempt had a connection.
    public static let requestDuration = Metric(
        "request_duration", .trend, ofAttempt,
        "Time of one attempt on the wire, from when it had a connection to its last byte.",
        values: causesOfAttempts)
    public static let requestFailed = Metric(
        "request_failed", .rate, ofAttempt,
        "Share of the attempts that ended which got no response or an error status; not those"
            + " of expired_repaired.",
        values: causesOfAttempts)
    public static let requests = Metric(
        "requests", .counter, ofAttempt,
        "Attempts sent: first ones, retries and refreshes; status neverEnded: no end.",
        values: causesOfAttempts)
    public static let retries = Metric(
        "retries", .counter, ofStep + [.endpoint],
        "Attempts sent that are not their call's first, no refreshes.")
    public static let sessionsLost = Metric(
        "sessions_lost", .counter, ofStep + [.cause],
        "Users who were signed out, by the refused call that made the app do so.")
    // Retries and refreshes included; a step given up counts with the time the user waited.
    public static let stepDuration = Metric(
        "step_duration", .trend, ofStep,
        "Time from a step's planned start to its end, or until it was given up, less fixed waits of"
            + " the app, such as a splash screen.")
    public static let stepFailed = Metric(
        "step_failed", .rate, ofStep,
        "Share of steps that ended without what the user came for.")
    public static let steps = Metric(
        "steps", .counter, ofStep, "User actions that came to an end, done or failed.")
    public static let stepsIdle = Metric(
        "steps_idle", .counter, ofStep,
        "User actions for which there was nothing to do; no other metric counts them.")
    public static let usersActive = Metric(
        "users_active", .gauge, [], "Users in a session: neither away nor still to arrive.")
}

extension Metric {
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
