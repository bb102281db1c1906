/// How one step of a journey went for the users who took it.
public struct StepRow: Codable, Sendable {
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
    /// How many ended, except those with nothing to do.
    public let count: Int64
    /// How many of those failed.
    public let failed: Int64
    /// How many had nothing to do.
    public let idle: Int64
    /// How many never ended.
    public let hung: Int64
    /// How long users waited, including for steps that never ended; idle steps are left out.
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
