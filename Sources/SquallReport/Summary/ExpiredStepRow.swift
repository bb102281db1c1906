public import SquallFormat

/// The effects of expired tokens on one step of a journey.
public struct ExpiredStepRow: Codable, Sendable {
    /// The population's name in the profile.
    public let population: String
    /// The app's name.
    public let app: String
    /// The app's token design.
    public let design: String
    /// The journey's name in the app.
    public let journey: String
    /// The step's name in the journey.
    public let step: String
    /// How many of these steps met an expired token.
    public let expiredSteps: Int64
    /// Refreshes that those steps caused; ideally as many as expired steps.
    public let refreshes: Int64
    /// Refreshes per expired step; nil without any.
    @OrNull public private(set) var refreshesPerExpiredStep: Double?
    /// Attempts repeated in this step, for any reason.
    public let retries: Int64
    /// Users who were signed out in this step.
    public let sessionsLost: Int64

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
