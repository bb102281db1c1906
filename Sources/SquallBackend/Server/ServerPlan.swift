public import SquallFormat
public import SquallKernel

/// How much the server can do at once, and what it turns away.
public struct ServerPlan: Hashable, Sendable {
    /// How many requests are worked on at once.
    public var workers: Int
    /// How many may wait; one more is turned away.
    public var queueLimit: Int
    /// How long the work on one request takes.
    public var serviceTime: Distribution
    /// How long it takes for endpoints where that differs, by their names.
    public var serviceTimes: [String: Distribution]
    /// How long it takes to refuse a call whose access token has expired; with `nil` as long as to
    /// do what it asks for.
    public var refusalTime: Distribution?
    /// How much longer it takes for each object of a list in the answer.
    public var perItemNanoseconds: Int64
    /// How much longer it takes for each scanned row.
    public var perScannedRowNanoseconds: Int64
    /// A request that has waited longer is turned away, when `serving.lateness` says.
    public var waitLimitNanoseconds: Int64?
    /// How often one user may call; more is refused.
    public var userRate: RateLimit?
    /// How often all users of one key may call; more is refused.
    public var keyRate: RateLimit?
    /// How long clients that are turned away are asked to stay away; with `nil` no client is asked,
    /// also when it calls too often.
    public var retryAfterNanoseconds: Int64?
    /// How far each worker's clock is at most ahead or behind, evenly.
    public var clockSkewNanoseconds: Int64
    /// Which workers there are, what they take next and for which calls.
    public var serving: ServingPlan
}

/// How often a caller may call.
public struct RateLimit: Hashable, Sendable {
    /// Time in which one more call is earned.
    public let intervalNanoseconds: Int64
    /// How many calls can be saved up.
    public let burst: Int64

    /// A limit by its long-term rate, in calls a second, and what may come at once.
    ///
    /// - Precondition: both are positive.
    public init(perSecond: Double, burst: Int64) {
        precondition(
            perSecond > 0 && burst > 0, "no rate limit of \(perSecond)/s with burst \(burst)")
        intervalNanoseconds = max(1, Int64((1e9 / perSecond).rounded()))
        self.burst = burst
    }
}

extension ServerPlan {
    /// The server of a profile that says nothing about it.
    public static let standard =
        SettingFormat.section { ServerPlan(&$0, endpoints: []) }.placeholder()

    /// Reads the plan as a section of a profile's backend that has these endpoints.
    public init(_ read: inout SettingsReader, endpoints: [String]) {
        let time = SettingFormat.distribution(0...Span.hour)
        workers = read(
            "workers", .integer(1...1_000_000), otherwise: 64,
            "How many requests are served at once.")
        queueLimit = read(
            "queueLimit", .integer(0...100_000_000), otherwise: 10_000,
            "How many requests wait at most; more are rejected.")
        serviceTime = read(
            "serviceTime", time,
            otherwise: ["logNormal": ["median": "20ms", "sigma": .number(0.5), "max": "5s"]],
            "Time a worker needs for a request.")
        serviceTimes = read(
            "serviceTimes", .each(of: endpoints, called: "endpoints", time),
            otherwise: [:], "Times by endpoint, where they differ.")
        refusalTime = read.optional(
            "refusalTime", time,
            "Time a worker needs to refuse an expired token; a call's own time by default.")
        perItemNanoseconds = read(
            "perItem", .duration(0...Span.hour), otherwise: "0s",
            "What each object of a list in the response adds.")
        perScannedRowNanoseconds = read(
            "perScannedRow", .duration(0...Span.hour), otherwise: "0s",
            "What each row that was looked at adds.")
        waitLimitNanoseconds = read.optional(
            "waitLimit", .duration(0...Span.hour),
            "Requests that have waited longer are answered 503 unserved; no limit by default.")
        userRate = read.optional(
            "userRate", .section { RateLimit(&$0) },
            "How often one user may call; more is answered 429. No limit by default.")
        keyRate = read.optional(
            "keyRate", .section { RateLimit(&$0) },
            "How often all users of an app may call; more is answered 429. No limit by default.")
        retryAfterNanoseconds = read.optional(
            "retryAfter", .duration(Span.second...Span.hour),
            "Retry-After of a 503; a 429 then says its own. No such header by default.")
        clockSkewNanoseconds = read(
            "clockSkew", .duration(0...Span.day), otherwise: "0s",
            "How wrong each worker's clock is at most when it judges and issues tokens.")
        serving = ServingPlan(&read, endpoints)
        serving.check(&read, hasWaitLimit: waitLimitNanoseconds != nil)
    }
}

extension RateLimit {
    fileprivate init(_ read: inout SettingsReader) {
        self.init(
            perSecond: read(
                "perSecond", .number(0.001...1_000_000), "Calls a second in the long run."),
            burst: read(
                "burst", .integer(1...1_000_000), otherwise: 1, "Calls that can be saved up."))
    }
}
