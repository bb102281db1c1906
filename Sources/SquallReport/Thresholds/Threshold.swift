import SquallFormat

/// An expectation that a run must meet, in k6's grammar: `p(95)<300ms` of `step_duration`.
///
/// ```swift
/// let threshold = try Threshold(metric: "step_duration{step:episode}", expression: "p(95)<300ms")
/// threshold.judge(metrics, overNanoseconds: duration).ok
/// ```
///
/// The metric selects all series that carry the tags in braces. Durations carry units; a bare
/// number for a duration means milliseconds, as in k6. An expectation may be about a part of the
/// run, and may end the run when it fails: `rate<1% after 2m until 5m abort`.
public struct Threshold: Hashable, Sendable {
    /// The series that are judged.
    public let selection: MetricKey
    /// The expectation as it was written.
    public let expression: String
    /// The number that is judged.
    public let aggregate: Aggregate
    /// The comparison of the number with the limit.
    public let comparison: Comparison
    /// The number's limit.
    public let limit: Quantity
    /// The beginning of the judged part; `nil` for that of the measured time.
    public let afterNanoseconds: Int64?
    /// The end of the judged part; `nil` for that of the measured time.
    public let untilNanoseconds: Int64?
    /// True to end the run as soon as the expectation fails.
    public let abortsRun: Bool

    /// Reads a threshold and checks it against the catalogue of metrics.
    ///
    /// - Throws: the place where the text is wrong, and a text that would be right there.
    public init(
        metric: String, expression: String, among catalogue: MetricCatalogue
    ) throws(ThresholdError) {
        selection = try MetricKey(parsing: metric, among: catalogue)
        self.expression = expression
        var cursor = Cursor(expression)
        aggregate = try cursor.aggregate(of: selection.metric)
        comparison = try cursor.comparison()
        limit = try cursor.limit(of: selection.metric, aggregate)
        let conditions = try cursor.conditions(of: selection.metric)
        afterNanoseconds = conditions.after
        untilNanoseconds = conditions.until
        abortsRun = conditions.abortsRun
    }

    /// A number that is computed from a metric.
    public enum Aggregate: Hashable, Sendable {
        case average
        case count
        case maximum
        case median
        case minimum
        case percentile(Double)
        /// Share of samples that were true; for a counter, the rate per virtual second.
        case rate
        /// The quotient of a ratio, the last level of a gauge.
        case value
    }

    /// The comparison of a number with its limit.
    public enum Comparison: String, CaseIterable, Sendable {
        // Longer ones first, so that the first that matches is the right one.
        case identical = "==="
        case atMost = "<="
        case atLeast = ">="
        case equal = "=="
        case unequal = "!="
        case below = "<"
        case above = ">"

        /// True if the number compares to the limit in this way.
        func holds(_ number: Double, _ limit: Double) -> Bool {
            switch self {
            case .atMost: number <= limit
            case .atLeast: number >= limit
            case .equal, .identical: number == limit
            case .unequal: number != limit
            case .below: number < limit
            case .above: number > limit
            }
        }
    }
}

extension Threshold.Aggregate {
    /// The aggregates of a kind of metric, as thresholds write them.
    public static func names(for kind: Metric.Kind) -> [String] {
        switch kind {
        case .counter: ["count", "rate"]
        case .rate: ["rate"]
        case .trend: ["avg", "count", "max", "med", "min", "p(N)"]
        case .ratio: ["value"]
        case .gauge: ["max", "min", "value"]
        }
    }

    /// The aggregate as thresholds write it.
    public var name: String {
        switch self {
        case .average: "avg"
        case .count: "count"
        case .maximum: "max"
        case .median: "med"
        case .minimum: "min"
        case .percentile(let percentile): "p(\(Units.digits(percentile, significant: 6)))"
        case .rate: "rate"
        case .value: "value"
        }
    }

    /// The aggregate with the name; percentiles carry a number and are read elsewhere.
    init?(name: Substring) {
        let plain: [Threshold.Aggregate] = [
            .average, .count, .maximum, .median, .minimum, .rate, .value,
        ]
        guard let aggregate = plain.first(where: { $0.name == name }) else { return nil }
        self = aggregate
    }
}

/// A mistake in a threshold's text.
public struct ThresholdError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The wrong text: a metric with its tags, or an expression.
    let text: String
    /// The first wrong character, counted from 1.
    let column: Int
    /// The fault there, and a text that would be right.
    let problem: String

    /// The problem with its position.
    public var description: String { "'\(text)', column \(column): \(problem)" }
}

extension MetricKey {
    /// The names of metrics in k6, Locust and Gatling, with those here.
    ///
    /// Their iteration, task or scenario corresponds to a step: that is what a user waits for.
    private static let elsewhere = [
        "http_reqs": "requests", "http_req_duration": "request_duration",
        "http_req_failed": "request_failed", "http_req_waiting": "request_duration",
        "http_req_blocked": "connection_wait", "http_req_connecting": "connection_wait",
        "http_req_tls_handshaking": "request_part", "http_req_receiving": "request_part",
        "iterations": "steps", "iteration_duration": "step_duration", "checks": "step_failed",
        "vus": "users_active", "dropped_iterations": "journey_delay",
        "response_time": "request_duration", "avg_response_time": "request_duration",
        "fail_ratio": "request_failed", "failures/s": "request_failed", "rps": "requests",
        "requests/s": "requests", "num_requests": "requests", "user_count": "users_active",
        "responseTime": "request_duration", "failedRequests": "request_failed",
        "requestsPerSec": "requests", "allRequests": "requests",
    ]

    /// Reads `name` or `name{tag:value,tag:value}`.
    ///
    /// - Throws: the place where the text is wrong, and a text that would be right there.
    public init(
        parsing text: String, among catalogue: MetricCatalogue
    ) throws(ThresholdError) {
        var cursor = Cursor(text)
        let name = cursor.take { $0 != "{" }
        guard let metric = catalogue.metric(named: String(name)) else {
            let hint =
                (Self.elsewhere[String(name)] ?? Self.elsewhere[name.lowercased()]).map {
                    " Here it is '\($0)'."
                }
                ?? Spelling.hint(for: String(name), among: catalogue.names)
            throw cursor.error(
                at: name, "unknown metric.\(hint) squall help metrics lists all of them")
        }
        var tags: [TagKey: String] = [:]
        if cursor.skip("{") {
            repeat {
                let (key, value) = try cursor.tag(of: metric)
                guard tags.updateValue(value, forKey: key) == nil else {
                    throw cursor.error("tag '\(key.rawValue)' is given twice")
                }
            } while cursor.skip(",")
            guard cursor.skip("}"), cursor.isAtEnd else {
                throw cursor.error("expected '}' as the last character")
            }
        }
        self.init(metric, tags)
    }
}

extension Cursor {
    fileprivate mutating func tag(
        of metric: Metric
    ) throws(ThresholdError) -> (TagKey, String) {
        let name = take { !"{}:,".contains($0) }
        let known = metric.tagKeys
        guard let key = TagKey(rawValue: String(name)), known.contains(key) else {
            let names = known.map(\.rawValue)
            let hint = Spelling.hint(for: String(name), among: names)
            let list = names.isEmpty ? "none" : names.joined(separator: ", ")
            throw error(at: name, "\(metric.name) has no tag '\(name)'.\(hint) Its tags: \(list)")
        }
        guard skip(":") else { throw error("expected ':' and the tag's value") }
        let value = take { !"{},".contains($0) }
        guard !value.isEmpty else { throw error("expected the value of tag '\(name)'") }
        if let values = metric.values[key], !values.contains(String(value)) {
            let hint = Spelling.hint(for: String(value), among: values)
            throw error(
                at: value,
                "no \(name) of \(metric.name) is called '\(value)'.\(hint)"
                    + Spelling.known(values))
        }
        return (key, String(value))
    }

    mutating func aggregate(
        of metric: Metric
    ) throws(ThresholdError) -> Threshold.Aggregate {
        skipSpaces()
        let word = take(while: \.isLetter)
        let names = Threshold.Aggregate.names(for: metric.kind)
        if word == "p", names.contains("p(N)") { return try percentile() }
        guard let aggregate = Threshold.Aggregate(name: word), names.contains(String(word)) else {
            let hint = Spelling.hint(for: String(word), among: names)
            throw error(
                at: word,
                "expected an aggregate of \(metric.name) (\(names.joined(separator: ", "))).\(hint)"
            )
        }
        return aggregate
    }

    private mutating func percentile() throws(ThresholdError) -> Threshold.Aggregate {
        guard skip("(") else { throw error("expected a percentile as in p(95)") }
        let number = take { $0 != ")" }
        guard let percentile = Double(number), (0...100).contains(percentile) else {
            throw error(at: number, "expected a percentile from 0 to 100")
        }
        guard skip(")") else { throw error("expected ')'") }
        return .percentile(percentile)
    }

    mutating func comparison() throws(ThresholdError) -> Threshold.Comparison {
        skipSpaces()
        for comparison in Threshold.Comparison.allCases where skip(comparison.rawValue) {
            return comparison
        }
        throw error("expected one of <, <=, >, >=, ==, !=")
    }

    mutating func limit(
        of metric: Metric, _ aggregate: Threshold.Aggregate
    ) throws(ThresholdError) -> Quantity {
        skipSpaces()
        let text = take { !$0.isWhitespace }
        do throws(LimitError) {
            return try Quantity(limit: String(text), of: metric, aggregate)
        } catch {
            throw self.error(at: text, error.problem)
        }
    }

    /// Reads the conditions of an expectation: the part of the run that it judges, and `abort`.
    mutating func conditions(
        of metric: Metric
    ) throws(ThresholdError) -> (after: Int64?, until: Int64?, abortsRun: Bool) {
        skipSpaces()
        let after = try moment("after", of: metric)
        let until = try moment("until", of: metric)
        if let after, let until, until <= after {
            throw error("expected an end after the beginning")
        }
        let abortsRun = skip("abort")
        skipSpaces()
        guard isAtEnd else {
            throw error("expected 'after', 'until', 'abort' or nothing after the limit")
        }
        return (after, until, abortsRun)
    }

    private mutating func moment(
        _ word: String, of metric: Metric
    ) throws(ThresholdError) -> Int64? {
        guard skip(word + " ") else { return nil }
        guard metric.kind != .gauge else {
            throw error("\(metric.name) is a level and can only be judged over the whole run")
        }
        skipSpaces()
        let text = take { !$0.isWhitespace }
        defer { skipSpaces() }
        do throws(UnitError) {
            return try Units.nanoseconds(text)
        } catch {
            throw self.error(at: text, "\(error)")
        }
    }
}

/// A position in a text that is being parsed.
struct Cursor {
    private let text: String
    private var position: String.Index

    init(_ text: String) {
        self.text = text
        position = text.startIndex
    }

    var isAtEnd: Bool { position == text.endIndex }

    /// Takes characters while they fit.
    mutating func take(while fits: (Character) -> Bool) -> Substring {
        let taken = text[position...].prefix(while: fits)
        position = taken.endIndex
        return taken
    }

    /// Skips the token if it comes next.
    mutating func skip(_ token: String) -> Bool {
        guard text[position...].hasPrefix(token) else { return false }
        position = text.index(position, offsetBy: token.count)
        return true
    }

    mutating func skipSpaces() {
        position = text[position...].prefix(while: \.isWhitespace).endIndex
    }

    /// The problem at the current position, or at the given part of the text.
    func error(at part: Substring? = nil, _ problem: String) -> ThresholdError {
        let place = part?.startIndex ?? position
        return ThresholdError(
            text: text, column: text.distance(from: text.startIndex, to: place) + 1,
            problem: problem)
    }
}
