/// What the client made of one endpoint's answers that its token had expired.
public struct ExpiryRow: Codable, Hashable, Sendable {
    /// The app whose endpoint it is.
    public let app: String
    /// The app's token design.
    public let design: String
    /// The endpoint's name.
    public let endpoint: String
    /// Answers that the access token had expired (419).
    public let expiredAnswers: Int64
    /// Refreshes that these answers caused; 0 shows an endpoint whose calls never refresh.
    public let refreshes: Int64

    static func all(of metrics: Metrics) -> [ExpiryRow] {
        metrics.tagSets(of: [.app, .design, .endpoint], among: [.expiredAnswers]).map { tags in
            var cause: [TagKey: String] = [.cause: tags[.endpoint] ?? ""]
            cause[.app] = tags[.app]
            cause[.design] = tags[.design]
            return ExpiryRow(
                app: tags[.app] ?? "", design: tags[.design] ?? "",
                endpoint: tags[.endpoint] ?? "",
                expiredAnswers: metrics.totalCount(of: MetricKey(.expiredAnswers, tags)),
                refreshes: metrics.totalCount(of: MetricKey(.refreshes, cause)))
        }
    }
}
