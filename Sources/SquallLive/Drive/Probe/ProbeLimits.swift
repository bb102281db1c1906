/// How much a probe may ask of its service.
public struct ProbeLimits: Hashable, Sendable {
    /// The most requests in all.
    public var requests: Int64 = 500
    /// The most requests in a second.
    public var requestsPerSecond: Int64 = 50
    /// The longest time.
    public var nanoseconds: Int64 = 300_000_000_000
    /// The number of refreshes that are sent at once with one token.
    public var atOnce: Int64 = 8
    /// The number of calls that are sent as fast as allowed, to meet a rate limit.
    public var burst: Int64 = 60

    /// The usual limits.
    public init() {}
}
