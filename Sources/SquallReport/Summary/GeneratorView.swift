import SquallFormat

/// The state of a driven run's load generator: its requests, and the signs that it could not keep
/// up.
public struct GeneratorView: Codable, Equatable, Sendable {
    /// The server that was driven.
    public let target: String
    /// Requests that were written to a connection.
    public let sent: Int64
    /// The lateness of requests when they were written; every latency includes it.
    public let latenessNanoseconds: LatencySummary
    /// The processor time of this process while the load lasted, as a share of one core.
    let processorShare: Double
    /// The most requests that were sent in a second.
    public let busiestSecond: Int64
    /// The requests that were allowed in a second.
    let rateLimit: Int64
    /// Requests that waited because no more were allowed in their second.
    public let throttled: Int64
    /// The most connections that were open at once.
    let connectionsMost: Int64
    /// Connections that were made in all.
    let connectionsMade: Int64
    /// Connections that could not be made because the process could open no more files.
    let withoutDescriptor: Int64
    /// Requests that were sent again on another connection; `nil` in older files.
    let sentAgain: Int64?
    /// The expectations that only a simulated server could answer, which were not judged.
    public var notJudged: [String]
    /// Responses that the profile does not describe, by their kinds.
    public let unexpected: [UnexpectedResponse]

    /// Makes a view.
    public init(
        target: String, sent: Int64, lateness: LatencySummary, processorShare: Double,
        busiestSecond: Int64, rateLimit: Int64, throttled: Int64, connectionsMost: Int64,
        connectionsMade: Int64, withoutDescriptor: Int64, sentAgain: Int64 = 0,
        notJudged: [String] = [], unexpected: [UnexpectedResponse] = []
    ) {
        self.target = target
        self.sent = sent
        latenessNanoseconds = lateness
        self.processorShare = processorShare
        (self.busiestSecond, self.rateLimit) = (busiestSecond, rateLimit)
        self.throttled = throttled
        self.connectionsMost = connectionsMost
        self.connectionsMade = connectionsMade
        self.withoutDescriptor = withoutDescriptor
        self.sentAgain = sentAgain
        (self.notJudged, self.unexpected) = (notJudged, unexpected)
    }
}

extension GeneratorView {
    /// From this share of one core on, nothing tells whether server or generator was slow.
    private static let processorShareMax = 0.9
    /// Lateness below this distorts no latency that a network has.
    private static let latenessMin: Int64 = 5_000_000
    /// Fewer late requests than this are no share of them.
    private static let lateRequestsMin: Int64 = 3
    /// The share of a percentile of the durations that the lateness's own may be.
    private static let latenessShareMax = 0.1

    /// Says that requests waited for the limit of the rate; `nil` where none did.
    var held: String? {
        guard throttled > 0 else { return nil }
        return "\(Units.counted(throttled, "request")) waited for the limit of"
            + " \(Units.grouped(rateLimit)) requests/s"
    }

    /// Says that a server has more requests in its log than were counted; `nil` where it has not.
    var repeats: String? {
        guard let sentAgain, sentAgain > 0 else { return nil }
        let requests = Units.counted(sentAgain, "request")
        return "\(requests) of those that may be repeated were sent again on another connection, as"
            + " the first had ended without a response. The server may have seen them twice; they"
            + " are counted once."
    }

    /// Says which expectations are not judged; `nil` for none.
    public static func unjudged(_ expectations: [String]) -> String? {
        expectations.isEmpty
            ? nil
            : "Not judged, because only a simulated server can tell:"
                + " \(expectations.joined(separator: ", "))."
    }

    /// The reasons for which the generator and not the server limited the load, in words; empty
    /// where it did not.
    ///
    /// `duration` are the durations of requests, their lateness included.
    public func limits(of duration: LatencySummary) -> [String] {
        var limits: [String] = []
        let late = latenessNanoseconds
        for (share, part, late, whole) in [
            ("half", 2, late.p50, duration.p50), ("1 %", 100, late.p99, duration.p99),
        ]
        where late >= Self.latenessMin && Double(late) > Self.latenessShareMax * Double(whole)
            && sent >= Int64(part) * Self.lateRequestsMin
        {
            limits.append(
                "\(share) of the requests were sent \(Units.approximate(nanoseconds: late)) late"
                    + " or more")
        }
        if processorShare >= Self.processorShareMax {
            limits.append("it used \(Units.percent(processorShare)) of a core")
        }
        if let held { limits.append(held) }
        if withoutDescriptor > 0 {
            limits.append(
                "\(Units.counted(withoutDescriptor, "connection")) could not be made: the process"
                    + " may open no more files")
        }
        return limits
    }
}
