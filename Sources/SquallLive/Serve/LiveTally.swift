import SquallFormat
import SquallReport

/// The responses, by endpoint, and how late the server was.
struct LiveTally: Sendable {
    private(set) var endpoints: [String: Row] = [:]
    /// How much later than due things began, in nanoseconds of real time.
    private(set) var lateness = Histogram()
    /// The number of requests that lacked each header field that every request needs.
    private(set) var missingFields: [String: Int] = [:]
    /// What the paths of requests lack in front, where one is the end of a call's path.
    var basePath: String?
    /// Requests that were refused for who sent them, and those turned away since there were too
    /// many.
    var (refused, turnedAway) = (0, 0)
    /// For how long it read and sent nothing, in nanoseconds of real time.
    var standstill: Int64 = 0
    /// Tells the responses, their order and durations from all others.
    private(set) var digest = StableHash()

    /// The requests to an endpoint.
    struct Row: Sendable {
        /// The number of responses with each status; 0 stands for requests without one.
        var statuses: [Int: Int] = [:]
        /// How long responses took, in simulated nanoseconds.
        var duration = Histogram()

        mutating func add(_ other: Row) {
            statuses.merge(other.statuses, uniquingKeysWith: +)
            duration.merge(other.duration)
        }

        var count: Int { statuses.values.reduce(0, +) }
    }

    /// The calls by other names; those that get one name are one.
    mutating func rename(_ name: (String) -> String) {
        endpoints = endpoints.reduce(into: [:]) { rows, row in
            rows[name(row.key), default: Row()].add(row.value)
        }
    }

    mutating func ended(_ endpoint: String, _ status: Int, afterNanoseconds span: Int64) {
        endpoints[endpoint, default: Row()].statuses[status, default: 0] += 1
        endpoints[endpoint]?.duration.record(span)
        digest.combine(endpoint.utf8)
        digest.mix(status)
        digest.mix(Int(span))
    }

    mutating func lacks(_ field: String) { missingFields[field, default: 0] += 1 }

    mutating func late(byNanoseconds span: Int64) { lateness.record(max(0, span)) }
}
