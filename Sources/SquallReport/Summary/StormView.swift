public import SquallFormat

/// What expiring tokens did to the whole of users and server.
public struct StormView: Codable, Hashable, Sendable {
    /// Times a user's access token was found expired by at least one request.
    public let expiries: Int64
    /// Refreshes that those expiries caused, each counted once however often it was sent.
    public let promptedRefreshes: Int64
    /// Refreshes beyond the first of each expiry.
    public let redundantRefreshes: Int64
    /// Refreshes that apps sent unasked, as at launch.
    public let unpromptedRefreshes: Int64
    /// Refreshes for each expiry, 1 is ideal; nil without expiries, and where designs are mixed,
    /// whose common quotient says nothing about any of them.
    @OrNull public private(set) var refreshesPerExpiry: Double?
    /// The share of refreshes that were needed, 1 when every expiry was refreshed once; nil without
    /// refreshes, and where designs are mixed.
    @OrNull public private(set) var singleFlightEfficiency: Double?
    /// All refreshes each second of what is measured of the load.
    public let meanRefreshesPerSecond: Double
    /// All refreshes each second in the busiest interval.
    public let peakRefreshesPerSecond: Double
    /// How many times the mean the peak is; nil without refreshes.
    @OrNull public private(set) var peakOverMean: Double?
    /// Requests that were answered "expired" and waited for a new token.
    public let heldRequests: Int64
    /// The most that waited at once.
    public let heldAtOnce: Int64
    /// How long they waited.
    public let heldFor: LatencySummary
    /// Users who were signed out, by what made it happen, in the order of the causes' names.
    public let signOuts: [SignOut]
    /// The storms that the server saw, whoever caused them, in order of time.
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
        /// What made it happen: the answer to the last refresh of the step.
        public let cause: String
        /// How many there were.
        public let count: Int64

        /// The sign-outs that were measured.
        public static func all(of metrics: Metrics) -> [SignOut] {
            metrics.tagSets(of: [.cause], among: [.sessionsLost]).compactMap { tags in
                guard tags[.cause] != nil else { return nil }
                return SignOut(
                    cause: tags[.cause] ?? "",
                    count: metrics.totalCount(of: MetricKey(.sessionsLost, tags)))
            }
        }
    }

    /// Refreshes by what they were for.
    public struct Counts: Hashable, Sendable {
        /// Times a user's access token was found expired.
        public let expiries: Int64
        /// Refreshes that those expiries caused.
        public let refreshes: Int64
        /// Refreshes beyond the first of each expiry.
        public let redundant: Int64
        /// Refreshes that apps sent unasked.
        public let unprompted: Int64

        /// The counts of a run.
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
        /// The most that waited at once.
        public let atOnce: Int64
        /// How long they waited.
        public let time: LatencySummary

        /// The requests of a run.
        public init(requests: Int64, atOnce: Int64, time: LatencySummary) {
            self.requests = requests
            self.atOnce = atOnce
            self.time = time
        }
    }

    /// A view from its parts.
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
