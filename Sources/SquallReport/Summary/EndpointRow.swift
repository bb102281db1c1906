/// How one endpoint answered.
public struct EndpointRow: Hashable, Sendable {
    /// The app whose endpoint it is.
    public let app: String
    /// The endpoint's name.
    public let endpoint: String
    /// Attempts by what came back: `2xx` … `5xx`, or `lost` when nothing did.
    public let answers: [AnswerClass: Int64]
    /// Time on the wire of every attempt.
    public let latency: LatencySummary

    /// What came back for an attempt.
    public enum AnswerClass: String, CaseIterable, Sendable {
        case success = "2xx"
        case redirection = "3xx"
        case clientError = "4xx"
        case serverError = "5xx"
        case lost

        /// The class of a status tag: a three-digit status, or the name of a transport error.
        init(status: String) {
            let digit = status.count == 3 && Int(status) != nil ? status.prefix(1) : ""
            self = AnswerClass(rawValue: digit + "xx") ?? .lost
        }
    }

    static func all(of metrics: Metrics) -> [EndpointRow] {
        let tagSets = metrics.tagSets(of: [.app, .endpoint], among: [.requests])
        return tagSets.map { tags in
            let requests = MetricKey(.requests, tags)
            var answers: [AnswerClass: Int64] = [:]
            for key in metrics.keys where requests.selects(key) {
                let status = key.tags.first { $0.key == .status }?.value ?? ""
                answers[AnswerClass(status: status), default: 0] += metrics.count(ofSeries: key)
            }
            return EndpointRow(
                app: tags[.app] ?? "", endpoint: tags[.endpoint] ?? "", answers: answers,
                latency: LatencySummary(metrics.totalTrend(of: MetricKey(.requestDuration, tags))))
        }
    }
}
