public import SquallRaces

extension ExplorationPlan {
    /// A plan for tests.
    public static func small(
        _ schedules: Int, window: Int64 = 0, deviations: Int? = nil, threads: Int = 1,
        strategy: String = "pos", findingsMax: Int = 10, shrinking: Int = 1_000
    ) -> ExplorationPlan {
        ExplorationPlan(
            schedules: schedules, deviations: deviations, windowNanoseconds: window,
            strategies: [StrategyShare(name: strategy, weight: 1)], threads: threads,
            findingsMax: findingsMax, shrinkingPlaysMax: shrinking)
    }
}
