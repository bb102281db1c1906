import SquallFormat
import SquallReport

/// What was answered, by endpoint, and how late the server was.
struct LiveTally: Sendable {
    /// The calls, by their names.
    private(set) var endpoints: [String: Row] = [:]
    /// How much later than due things began, in nanoseconds of real time.
    private(set) var lateness = Histogram()
    /// How many requests lacked each header field that every request needs.
    private(set) var missingFields: [String: Int] = [:]
    /// Tells the responses, their order and durations from all others.
    private(set) var digest = StableHash()

    /// The requests to an endpoint.
    struct Row: Sendable {
        /// How many responses had each status; 0 stands for requests without one.
        var statuses: [Int: Int] = [:]
        /// How long responses took, in simulated nanoseconds.
        var duration = Histogram()

        /// How many ended.
        var count: Int { statuses.values.reduce(0, +) }
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
