/// How a client reacted to one endpoint's expired responses.
public struct ExpiryRow: Codable, Sendable {
    /// The population's name in the profile.
    let population: String
    /// The app that calls it.
    let app: String
    /// The app's token design.
    let design: String
    /// The endpoint's name.
    let endpoint: String
    /// Responses that refused the access token as expired.
    public let expiredResponses: Int64
    /// Refreshes that these responses caused.
    let refreshes: Int64
    /// Attempts to this endpoint that were not their request's first.
    let retries: Int64

    /// Whether its calls neither refresh nor wait for another call's refresh, so that they never
    /// succeed once the token has expired.
    var neverRefreshes: Bool { expiredResponses > 0 && refreshes == 0 && retries == 0 }

    static func all(of metrics: Metrics) -> [ExpiryRow] {
        metrics.tagSets(of: Metric.ofUser + [.endpoint], among: [.expiredResponses])
            .filter { $0[.endpoint] != nil }.map { tags in
                var cause = tags
                cause[.cause] = tags[.endpoint]
                cause[.endpoint] = nil
                return ExpiryRow(
                    population: tags[.population] ?? "", app: tags[.app] ?? "",
                    design: tags[.design] ?? "", endpoint: tags[.endpoint] ?? "",
                    expiredResponses: metrics.totalCount(of: MetricKey(.expiredResponses, tags)),
                    refreshes: metrics.totalCount(of: MetricKey(.refreshes, cause)),
                    retries: metrics.totalCount(of: MetricKey(.retries, tags)))
            }
    }
}
