public import SquallFormat

/// The effects of expiring tokens on all users and the server.
public struct StormView: Codable, Hashable, Sendable {
    /// Times a user's access token was found expired by at least one request.
    public let expiries: Int64
    /// Refreshes that those expiries caused; a refresh counts once however often it was sent.
    public let promptedRefreshes: Int64
    /// Refreshes beyond the first of each expiry.
    public let redundantRefreshes: Int64
    /// Refreshes that apps sent without an expiry, as at launch.
    public let unpromptedRefreshes: Int64
    /// Refreshes per expiry, 1 is ideal; nil without expiries, and with several designs, since
    /// their common quotient describes none of them.
    @OrNull public private(set) var refreshesPerExpiry: Double?
    /// The share of refreshes that were needed, 1 when every expiry was refreshed once; nil without
    /// refreshes, and with several designs.
    @OrNull public private(set) var singleFlightEfficiency: Double?
    /// All refreshes per second of the measured load.
    public let meanRefreshesPerSecond: Double
    /// All refreshes per second in the busiest interval.
    public let peakRefreshesPerSecond: Double
    /// The peak divided by the mean; nil without refreshes.
    @OrNull public private(set) var peakOverMean: Double?
    /// Requests that were answered "expired" and waited for a new token.
    public let heldRequests: Int64
    /// The most requests that waited at once.
    public let heldAtOnce: Int64
    /// How long they waited.
    public let heldFor: LatencySummary
    /// Users who were signed out, by cause, sorted by the causes' names.
    public let signOuts: [SignOut]
    /// The peaks of refreshes that the server saw, of any population, in order of time.
    public let windows: [StormWindow]

    private enum CodingKeys: String, CodingKey {
        case expiries, promptedRefreshes, redundantRefreshes, unpromptedRefreshes,
            refreshesPerExpiry
        case singleFlightEfficiency, meanRefreshesPerSecond, peakRefreshesPerSecond, peakOverMean
        case heldRequests, heldAtOnce, signOuts, windows
        case heldFor = "heldForNs"
    }

    /// Users who were signed out for one cause.
    public struct SignOut: Codable, Hashable, Sendable {
        /// The cause: the answer to the last refresh of the step.
        public let cause: String
        /// How many users.
        public let count: Int64

        /// The measured sign-outs.
        public static func all(of metrics: Metrics) -> [SignOut] {
            metrics.tagSets(of: [.cause], among: [.sessionsLost]).compactMap { tags in
                guard tags[.cause] != nil else { return nil }
                return SignOut(
                    cause: tags[.cause] ?? "",
                    count: metrics.totalCount(of: MetricKey(.sessionsLost, tags)))
            }
        }
    }

    /// Refreshes by cause.
    public struct Counts: Hashable, Sendable {
        /// Times a user's access token was found expired.
        public let expiries: Int64
        /// Refreshes that those expiries caused.
        public let refreshes: Int64
        /// Refreshes beyond the first of each expiry.
        public let redundant: Int64
        /// Refreshes that apps sent without an expiry.
        public let unprompted: Int64

        /// Makes the counts of a run.
        public init(expiries: Int64, refreshes: Int64, redundant: Int64, unprompted: Int64) {
            self.expiries = expiries
            self.refreshes = refreshes
            self.redundant = redundant
            self.unprompted = unprompted
        }
    }

    /// Requests that waited for a new token.
    public struct Held: Hashable, Sendable {
        /// How many there were.
        public let requests: Int64
        /// The most requests that waited at once.
        public let atOnce: Int64
        /// How long they waited.
        public let time: LatencySummary

        /// Makes the numbers of a run.
        public init(requests: Int64, atOnce: Int64, time: LatencySummary) {
            self.requests = requests
            self.atOnce = atOnce
            self.time = time
        }
    }

    /// Makes a view.
    public init(
        counts: Counts, isOfOneDesign: Bool, meanRefreshesPerSecond: Double,
        peakRefreshesPerSecond: Double, held: Held, signOuts: [SignOut], windows: [StormWindow]
    ) {
        expiries = counts.expiries
        promptedRefreshes = counts.refreshes
        redundantRefreshes = counts.redundant
        unpromptedRefreshes = counts.unprompted
        let each = RefreshesPerExpiry(
            expiries: counts.expiries, refreshes: counts.refreshes, redundant: counts.redundant)
        refreshesPerExpiry = isOfOneDesign ? each.quotient : nil
        singleFlightEfficiency = isOfOneDesign ? each.efficiency : nil
        self.meanRefreshesPerSecond = meanRefreshesPerSecond
        self.peakRefreshesPerSecond = peakRefreshesPerSecond
        peakOverMean =
            meanRefreshesPerSecond > 0 ? peakRefreshesPerSecond / meanRefreshesPerSecond : nil
        heldRequests = held.requests
        heldAtOnce = held.atOnce
        heldFor = held.time
        self.signOuts = signOuts
        self.windows = windows
    }
}
