import SquallFormat

/// Which step of which journey of which app.
public struct StepName: Hashable, Sendable {
    /// The app's name.
    public let app: String
    /// The journey's name in the app.
    public let journey: String
    /// The step's name in the journey.
    public let step: String

    init(_ tags: [TagKey: String]) {
        app = tags[.app] ?? ""
        journey = tags[.journey] ?? ""
        step = tags[.step] ?? ""
    }

    var members: [String: JSON] {
        ["app": .string(app), "journey": .string(journey), "step": .string(step)]
    }
}

/// How one step of a journey went for the users who took it.
public struct StepRow: Hashable, Sendable {
    /// Which step.
    public let name: StepName
    /// How many ended.
    public let count: Int64
    /// How many of those failed.
    public let failed: Int64
    /// How many never ended.
    public let hung: Int64
    /// What users waited.
    public let latency: LatencySummary

    static func all(of metrics: Metrics) -> [StepRow] {
        metrics.stepTags(among: [.steps, .stepDuration, .hangs]).compactMap { tags in
            let row = StepRow(
                name: StepName(tags),
                count: metrics.totalCount(of: MetricKey(.steps, tags)),
                failed: metrics.totalRatio(of: MetricKey(.stepFailed, tags)).part,
                hung: metrics.totalCount(of: MetricKey(.hangs, tags)),
                latency: LatencySummary(metrics.totalTrend(of: MetricKey(.stepDuration, tags))))
            return row.count + row.hung > 0 ? row : nil
        }
    }
}
