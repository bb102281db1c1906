public import SquallFormat

/// What expired tokens did to one step of a journey.
public struct ExpiredStepRow: Codable, Hashable, Sendable {
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
    /// Refreshes those steps caused; as many as expired steps would be ideal.
    public let refreshes: Int64
    /// Refreshes for each of these steps; nil without any.
    @OrNull public private(set) var refreshesPerExpiredStep: Double?
    /// Attempts repeated in this step, for whatever cause.
    public let retries: Int64
    /// Users who were signed out by it.
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
