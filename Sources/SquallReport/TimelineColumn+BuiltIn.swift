/// The columns of any run; each one's text, or its metric's, defines it.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension TimelineColumn {
    public static let usersArrived = TimelineColumn(
        "users_arrived", .level, "Users who have arrived so far.")
    public static let stepsRunning = TimelineColumn(
        "steps_running", .level, "Steps under way at the end of the interval.")
    public static let stepsEnded = TimelineColumn(counting: .steps)
    public static let stepsFailed = TimelineColumn(
        "steps_failed", .sum, "Steps that did not show the user what was asked for.")
    public static let stepsHung = TimelineColumn(counting: .hangs)
    public static let stepsIdle = TimelineColumn(counting: .stepsIdle)
    public static let requests = TimelineColumn(counting: .requests)
    public static let succeeded = TimelineColumn(
        "responses_2xx", .sum, "Attempts that got what they asked for.")
    public static let expired = TimelineColumn(counting: .expiredResponses)
    public static let failed = TimelineColumn(
        "responses_other", .sum, "Attempts answered with anything else.")
    public static let lost = TimelineColumn("no_response", .sum, "Attempts without a response.")
    public static let firstAttempts = TimelineColumn(
        "first_attempts", .sum, "Attempts sent that are their call's first, no refreshes.")
    public static let retries = TimelineColumn(counting: .retries)
    public static let refreshes = TimelineColumn(counting: .refreshes)
    public static let held = TimelineColumn(
        "requests_held", .level, "Requests that wait for a new token.")
    public static let sessionsLost = TimelineColumn(counting: .sessionsLost)
    public static let goodput = TimelineColumn("goodput", .sum, "Calls of the app that succeeded.")
    public static let pages = TimelineColumn(counting: .pages)
    public static let items = TimelineColumn(counting: .items)

    public static let workersBusy = TimelineColumn(
        "workers_busy", .level, "Workers at work at the end of the interval.")
    public static let serverQueue = TimelineColumn(
        "server_queue", .level, "Requests that wait for a worker at the end of the interval.")
    public static let serverWaitP50 = TimelineColumn(
        "server_wait_p50_ns", .peak, "Half of those who left the line had waited no longer.")
    public static let serverWaitP95 = TimelineColumn(
        "server_wait_p95_ns", .peak, "95 % of those who left the line had waited no longer.")
    public static let serverWaitP99 = TimelineColumn(
        "server_wait_p99_ns", .peak, "99 % of those who left the line had waited no longer.")

    /// The columns of this package, in the order of the file; a new one is one line here.
    public static let builtIn: [TimelineColumn] = [
        .usersArrived, .stepsRunning, .stepsEnded, .stepsFailed, .stepsHung, .stepsIdle,
        .requests, .firstAttempts, .retries, .refreshes, .succeeded, .expired, .failed, .lost,
        .held, .sessionsLost, .goodput, .pages, .items, .workersBusy,
        .serverQueue, .serverWaitP50, .serverWaitP95, .serverWaitP99,
    ]

    /// The columns that only a simulated server fills; a run in front of a real one lacks them.
    public static let ofServer: Set<TimelineColumn> = [
        .pages, .items, .workersBusy, .serverQueue, .serverWaitP50, .serverWaitP95,
        .serverWaitP99,
    ]
}
