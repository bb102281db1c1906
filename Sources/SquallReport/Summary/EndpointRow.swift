/// The responses of one endpoint, and their durations.
public struct EndpointRow: Codable, Sendable {
    /// The population's name in the profile.
    public let population: String
    /// The app that calls it.
    public let app: String
    /// The app's token design.
    let design: String
    /// The endpoint's name.
    public let endpoint: String
    /// Attempts by the class of their outcome.
    public let responses: Responses
    /// Time on the wire of every attempt that ended.
    public let durationNanoseconds: LatencySummary
    /// The waits of attempts for a connection of their user before they were sent.
    let connectionWaitNanoseconds: LatencySummary

    /// Attempts by the class of their outcome.
    public struct Responses: Codable, Sendable {
        /// Statuses from 200 to 299.
        private(set) var success: Int64 = 0
        /// Statuses from 300 to 399.
        private(set) var redirection: Int64 = 0
        /// Statuses from 400 to 499.
        private(set) var clientError: Int64 = 0
        /// Statuses from 500 to 599.
        private(set) var serverError: Int64 = 0
        /// No response, or one of another status.
        private(set) var noResponse: Int64 = 0
        /// No end before the run's end.
        private(set) var neverEnded: Int64 = 0
        /// Expired responses after which the same call succeeded; they are in their status class.
        public fileprivate(set) var repaired: Int64 = 0

        private enum CodingKeys: String, CodingKey {
            case success = "2xx"
            case redirection = "3xx"
            case clientError = "4xx"
            case serverError = "5xx"
            case noResponse, neverEnded, repaired
        }

        /// Attempts with a status of 200 to 399.
        var ok: Int64 { success + redirection }

        /// Attempts that ended.
        var ended: Int64 { ok + clientError + serverError + noResponse }

        /// Attempts that ended without success, those that were repaired left out.
        public var failed: Int64 { ended - ok - repaired }

        /// Counts attempts with a status tag: a three-digit status, or a transport error's name.
        fileprivate mutating func add(_ count: Int64, status: String) {
            guard status != "neverEnded" else { return neverEnded += count }
            switch status.count == 3 ? (Int(status) ?? 0) / 100 : 0 {
            case 2: success += count
            case 3: redirection += count
            case 4: clientError += count
            case 5: serverError += count
            default: noResponse += count
            }
        }
    }

    static func all(of metrics: Metrics) -> [EndpointRow] {
        let tagSets = metrics.tagSets(of: Metric.ofUser + [.endpoint], among: [.requests])
        return tagSets.map { tags in
            let requests = MetricKey(.requests, tags)
            var responses = Responses()
            for key in metrics.unorderedKeys where requests.selects(key) {
                responses.add(
                    metrics.value(ofSeries: key)?.count?.all ?? 0, status: key[.status] ?? "")
            }
            responses.repaired = metrics.totalCount(of: MetricKey(.expiredRepaired, tags))
            return EndpointRow(
                population: tags[.population] ?? "", app: tags[.app] ?? "",
                design: tags[.design] ?? "", endpoint: tags[.endpoint] ?? "", responses: responses,
                durationNanoseconds: LatencySummary(
                    of: metrics.value(of: MetricKey(.requestDuration, tags))),
                connectionWaitNanoseconds: LatencySummary(
                    of: metrics.value(of: MetricKey(.connectionWait, tags))))
        }
    }
}

/// The reaction of clients to one endpoint's expired responses.
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

    /// True if its calls neither refresh nor wait for another call's refresh, so that they never
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
