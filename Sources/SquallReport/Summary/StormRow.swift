/// What expired tokens did to one step of a journey.
public struct StormRow: Hashable, Sendable {
    /// Which step.
    public let name: StepName
    /// How many of these steps met an expired token.
    public let expiredSteps: Int64
    /// Refreshes those steps caused; as many as expired steps would be ideal.
    public let refreshes: Int64
    /// Attempts repeated in this step, for whatever cause.
    public let retries: Int64
    /// Users who were signed out by it.
    public let sessionsLost: Int64

    static func all(of metrics: Metrics) -> [StormRow] {
        metrics.stepTags(among: [.refreshesPerExpiredStep, .sessionsLost]).compactMap { tags in
            let storm = metrics.totalRatio(of: MetricKey(.refreshesPerExpiredStep, tags))
            let row = StormRow(
                name: StepName(tags),
                expiredSteps: storm.whole, refreshes: storm.part,
                retries: metrics.totalCount(of: MetricKey(.retries, tags)),
                sessionsLost: metrics.totalCount(of: MetricKey(.sessionsLost, tags)))
            return row.expiredSteps + row.refreshes + row.sessionsLost > 0 ? row : nil
        }
    }
}
