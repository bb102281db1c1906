public import SquallFormat

/// The effects of expiring tokens on all users and the server.
public struct RefreshView: Codable, Sendable {
    /// Refreshes by cause.
    public let counts: Counts
    /// Refreshes per expiry, 1 is ideal; nil without expiries, and with several designs, since
    /// their common quotient describes none of them.
    @OrNull public private(set) var refreshesPerExpiry: Double?
    /// The share of refreshes that were needed, 1 when every expiry was refreshed once; nil without
    /// refreshes, and with several designs.
    @OrNull private(set) var singleFlightEfficiency: Double?
    /// All refreshes per second of the measured load.
    public let meanRefreshesPerSecond: Double
    /// All refreshes per second in the busiest interval.
    public let peakRefreshesPerSecond: Double
    /// The peak divided by the mean; nil without refreshes.
    @OrNull private(set) var peakOverMean: Double?
    /// Requests that got an expired response and waited for a new token.
    public let held: Held
    /// Users who were signed out, by cause, sorted by the causes' names.
    let sessionsLost: [SessionLoss]
    /// The peaks of refreshes that the server saw, of any population, in order of time.
    let peaks: [RefreshPeak]

    /// Users who were signed out for one cause.
    public struct SessionLoss: Codable, Sendable {
        /// The cause: the response to the last refresh of the step.
        let cause: String
        /// The number of users.
        let count: Int64

        /// The measured sign-outs.
        static func all(of metrics: Metrics) -> [SessionLoss] {
            metrics.tagSets(of: [.cause], among: [.sessionsLost]).compactMap { tags in
                tags[.cause].map {
                    SessionLoss(
                        cause: $0, count: metrics.totalCount(of: MetricKey(.sessionsLost, tags)))
                }
            }
        }
    }

    /// Refreshes by cause.
    public struct Counts: Codable, Sendable {
        /// Access tokens that were refused as expired.
        public let expiries: Int64
        /// Refreshes that those expiries caused; a refresh counts once, even if it was sent several
        /// times.
        public let promptedRefreshes: Int64
        /// Refreshes that their expiry did not need, or that showed a refresh token that was
        /// refused or exchanged before.
        public let redundantRefreshes: Int64
        /// Refreshes that apps sent without an expiry, as at launch.
        public let unpromptedRefreshes: Int64

        // The only definitions of both quotients; `SessionExpiry` says what an expiry is. Refreshes
        // that no response caused are left out.

        /// 1 is ideal; nil without expiries.
        var perExpiry: Double? { Ratio(part: promptedRefreshes, whole: expiries).quotient }

        /// The share of refreshes that were needed; nil without refreshes.
        var efficiency: Double? {
            Ratio(part: promptedRefreshes - redundantRefreshes, whole: promptedRefreshes).quotient
        }
    }

    /// Requests that waited for a new token.
    public struct Held: Codable, Sendable {
        /// The number of requests.
        public let requests: Int64
        /// The most requests that waited at once.
        public let maxConcurrent: Int64
        /// The waits of these requests.
        let waitNanoseconds: LatencySummary
    }
}

extension RefreshView {
    /// The effects that metrics tell over a span of the load, with those that they do not.
    public init(
        of metrics: Metrics, overNanoseconds span: Int64, by populations: [PopulationRow],
        held: Held, peak: Double, peaks: [RefreshPeak]
    ) {
        let isOfOneDesign = Set(populations.map { [$0.app, $0.design] }).count == 1
        let mean =
            metrics.value(of: MetricKey(.refreshes))?.count?.rate(overNanoseconds: span) ?? 0
        counts = Counts(of: metrics)
        refreshesPerExpiry = isOfOneDesign ? counts.perExpiry : nil
        singleFlightEfficiency = isOfOneDesign ? counts.efficiency : nil
        (meanRefreshesPerSecond, peakRefreshesPerSecond) = (mean, peak)
        peakOverMean = mean > 0 ? peak / mean : nil
        self.held = held
        sessionsLost = SessionLoss.all(of: metrics)
        self.peaks = peaks
    }
}

extension RefreshView.Held {
    /// So many requests, with the waits that metrics tell.
    public init(_ requests: Int64, atOnce: Int64, _ metrics: Metrics) {
        self.init(
            requests: requests, maxConcurrent: atOnce,
            waitNanoseconds: LatencySummary(of: metrics.value(of: MetricKey(.refreshWait))))
    }
}

extension RefreshView.Counts {
    /// The counts of the selected users, by their metrics.
    public init(of metrics: Metrics, _ tags: [TagKey: String] = [:]) {
        let refreshes = metrics.totalRatio(of: MetricKey(.refreshesPerExpiry, tags))
        expiries = refreshes.whole
        promptedRefreshes = refreshes.part
        redundantRefreshes = metrics.totalCount(of: MetricKey(.refreshesRedundant, tags))
        unpromptedRefreshes = metrics.totalCount(of: MetricKey(.refreshesUnprompted, tags))
    }
}

/// A peak: a time with far more refreshes than usual.
///
/// It begins with an interval of at least ten refreshes that holds four times the average, and ends
/// before five intervals in a row hold less than twice the average.
public struct RefreshPeak: Codable, Sendable {
    /// The beginning of its first interval.
    public let startNanoseconds: Int64
    /// The beginning of the interval with the most refreshes.
    public let peakNanoseconds: Int64
    /// The end of its last interval.
    public let endNanoseconds: Int64
    /// Refreshes in it.
    public let refreshes: Int64
    /// Refreshes per second in its busiest interval.
    public let peakPerSecond: Double
    /// The most requests held at the end of one of its intervals; nil for one population.
    @OrNull private(set) var held: Int64?
    /// Users who were signed out during it; nil for one population.
    @OrNull private(set) var sessionsLost: Int64?
    /// The recovery of successful steps, with its time after the start.
    public let recovery: Recovery
}
