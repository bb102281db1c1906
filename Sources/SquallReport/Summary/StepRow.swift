import SquallFormat

/// The results of one step of a journey for the users who took it.
public struct StepRow: Codable, Sendable {
    /// The population's name in the profile.
    let population: String
    /// The app's name.
    public let app: String
    /// The app's token design.
    let design: String
    /// The journey's name in the app.
    public let journey: String
    /// The step's name in the journey.
    public let step: String
    /// The number of steps that ended, except those with nothing to do.
    public let count: Int64
    /// The number of those that failed.
    public let failed: Int64
    /// The number of steps that had nothing to do.
    let idle: Int64
    /// The number of steps that never ended.
    public let hung: Int64
    /// The waits of users, including those for steps that never ended; idle steps are left out.
    public let durationNanoseconds: LatencySummary

    static func all(of metrics: Metrics) -> [StepRow] {
        metrics.stepTags(among: [.steps, .stepsIdle, .stepDuration, .hangs]).compactMap { tags in
            let hung = metrics.totalCount(of: MetricKey(.hangs, tags))
            let row = StepRow(
                population: tags[.population] ?? "", app: tags[.app] ?? "",
                design: tags[.design] ?? "", journey: tags[.journey] ?? "",
                step: tags[.step] ?? "", count: metrics.totalCount(of: MetricKey(.steps, tags)),
                failed: metrics.totalRatio(of: MetricKey(.stepFailed, tags)).part - hung,
                idle: metrics.totalCount(of: MetricKey(.stepsIdle, tags)), hung: hung,
                durationNanoseconds: LatencySummary(
                    of: metrics.value(of: MetricKey(.stepDuration, tags))))
            // Keeps a step that never ended if it has the time that users have waited.
            return row.count + row.idle + row.hung + row.durationNanoseconds.count > 0 ? row : nil
        }
    }
}

/// The effects of expired tokens on one step of a journey.
public struct ExpiredStepRow: Codable, Sendable {
    /// The population's name in the profile.
    public let population: String
    /// The app's name.
    let app: String
    /// The app's token design.
    let design: String
    /// The journey's name in the app.
    let journey: String
    /// The step's name in the journey.
    public let step: String
    /// The number of these steps that met an expired token.
    public let expiredSteps: Int64
    /// Refreshes that those steps caused; ideally as many as expired steps.
    public let refreshes: Int64
    /// Refreshes per expired step; nil without any.
    @OrNull private(set) var refreshesPerExpiredStep: Double?
    /// Attempts repeated in this step, for any reason.
    let retries: Int64
    /// Users who were signed out in this step.
    let sessionsLost: Int64

    static func all(of metrics: Metrics) -> [ExpiredStepRow] {
        metrics.stepTags(among: [.refreshesPerExpiredStep, .sessionsLost]).compactMap { tags in
            let refreshes = metrics.totalRatio(of: MetricKey(.refreshesPerExpiredStep, tags))
            let row = ExpiredStepRow(
                population: tags[.population] ?? "", app: tags[.app] ?? "",
                design: tags[.design] ?? "", journey: tags[.journey] ?? "",
                step: tags[.step] ?? "",
                expiredSteps: refreshes.whole, refreshes: refreshes.part,
                refreshesPerExpiredStep: refreshes.quotient,
                retries: metrics.totalCount(of: MetricKey(.retries, tags)),
                sessionsLost: metrics.totalCount(of: MetricKey(.sessionsLost, tags)))
            return row.expiredSteps + row.refreshes + row.sessionsLost > 0 ? row : nil
        }
    }
}

/// The count of failures of a step with one outcome and after one failed call.
public struct StepFailureRow: Codable, Sendable {
    /// The population's name in the profile.
    public let population: String
    /// The journey's name in the app.
    public let journey: String
    /// The step's name in the journey.
    public let step: String
    /// The outcome that the user saw, such as `toast.unknown`.
    public let outcome: String
    /// The endpoint of the step's last call that failed for good; empty when none did.
    public let endpoint: String
    /// The outcome of that call: a status, or the name of an error; empty when none failed.
    public let status: String
    /// The number of such failures.
    public internal(set) var count: Int64
    /// The user of the first one.
    let user: Int64
    /// The moment at which the first ended.
    let atNanoseconds: Int64

    /// A row from its parts.
    public init(
        population: String, journey: String, step: String, outcome: String, endpoint: String,
        status: String, count: Int64, user: Int64, atNanoseconds: Int64
    ) {
        self.population = population
        self.journey = journey
        self.step = step
        self.outcome = outcome
        self.endpoint = endpoint
        self.status = status
        self.count = count
        self.user = user
        self.atNanoseconds = atNanoseconds
    }
}
