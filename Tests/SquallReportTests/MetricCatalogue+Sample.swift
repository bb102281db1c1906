import SquallReport

extension MetricCatalogue {
    /// The metrics that tests name.
    static let sample = MetricCatalogue([
        .hangs, .usersActive, .steps, .stepFailed, .stepDuration, .requests, .requestFailed,
        .requestDuration, .expiredResponses, .refreshesPerExpiredStep, .retries, .payments, .pages,
        .items, .hiddenScreenCalls,
    ])
}
