import SquallFormat

/// What expiring tokens did to the whole of users and server.
public struct StormView: Hashable, Sendable {
    /// Times a user's access token was found expired by at least one request.
    public var expiries: Int64
    /// Refreshes that those expiries caused.
    public var refreshes: Int64
    /// Refreshes beyond the first of each expiry.
    public var redundantRefreshes: Int64
    /// Refreshes that apps sent unasked, as at launch.
    public var unpromptedRefreshes: Int64
    /// All refreshes each second, on average over what was measured.
    public var meanRefreshesPerSecond: Double
    /// All refreshes each second in the busiest interval.
    public var peakRefreshesPerSecond: Double
    /// Requests that were answered "expired" and waited for a new token.
    public var heldRequests: Int64
    /// The most that waited at once.
    public var heldAtOnce: Int64
    /// How long they waited.
    public var heldFor: LatencySummary
    /// Users who were signed out, by what made it happen, in the order of the causes' names.
    public var signOuts: [SignOut]
    /// When there were far more refreshes than usual.
    public var windows: [StormWindow]

    /// Users who were signed out for one cause.
    public struct SignOut: Hashable, Sendable {
        /// What made it happen: the answer to the last refresh of the step.
        public let cause: String
        /// How many there were.
        public let count: Int64

        /// So many for a cause.
        public init(cause: String, count: Int64) {
            self.cause = cause
            self.count = count
        }

        /// The sign-outs that were measured.
        public static func all(of metrics: Metrics) -> [SignOut] {
            metrics.tagSets(of: [.cause], among: [.sessionsLost]).map { tags in
                SignOut(
                    cause: tags[.cause] ?? "",
                    count: metrics.totalCount(of: MetricKey(.sessionsLost, tags)))
            }
        }
    }

    /// A view from its parts.
    public init(
        expiries: Int64, refreshes: Int64, redundantRefreshes: Int64, unpromptedRefreshes: Int64,
        meanRefreshesPerSecond: Double, peakRefreshesPerSecond: Double, heldRequests: Int64,
        heldAtOnce: Int64, heldFor: LatencySummary, signOuts: [SignOut], windows: [StormWindow]
    ) {
        self.expiries = expiries
        self.refreshes = refreshes
        self.redundantRefreshes = redundantRefreshes
        self.unpromptedRefreshes = unpromptedRefreshes
        self.meanRefreshesPerSecond = meanRefreshesPerSecond
        self.peakRefreshesPerSecond = peakRefreshesPerSecond
        self.heldRequests = heldRequests
        self.heldAtOnce = heldAtOnce
        self.heldFor = heldFor
        self.signOuts = signOuts
        self.windows = windows
    }

    /// Refreshes for each expiry; 1 is ideal, nil without expiries.
    public var refreshesPerExpiry: Double? { Ratio(part: refreshes, whole: expiries).quotient }

    /// The share of refreshes that were needed; 1 when every expiry was refreshed once.
    public var singleFlightEfficiency: Double? {
        Ratio(part: refreshes - redundantRefreshes, whole: refreshes).quotient
    }

    /// How many times the mean the peak is; nil without refreshes.
    public var peakOverMean: Double? {
        meanRefreshesPerSecond > 0 ? peakRefreshesPerSecond / meanRefreshesPerSecond : nil
    }
}

/// A time of far more refreshes than usual.
public struct StormWindow: Hashable, Sendable {
    /// When the first interval with more of them began.
    public let startNanoseconds: Int64
    /// When the interval with most of them began.
    public let peakNanoseconds: Int64
    /// When the last interval with more of them ended.
    public let endNanoseconds: Int64
    /// Refreshes within it.
    public let refreshes: Int64
    /// Refreshes each second in its busiest interval.
    public let peakPerSecond: Double
    /// The most requests that were held at the end of an interval within it.
    public let held: Int64
    /// Users who were signed out within it.
    public let signOuts: Int64
    /// How long after its start as many steps succeeded again as before; nil when they did not
    /// within the run.
    public let recoveredAfterNanoseconds: Int64?

    /// A window from its parts.
    public init(
        startNanoseconds: Int64, peakNanoseconds: Int64, endNanoseconds: Int64, refreshes: Int64,
        peakPerSecond: Double, held: Int64, signOuts: Int64, recoveredAfterNanoseconds: Int64?
    ) {
        self.startNanoseconds = startNanoseconds
        self.peakNanoseconds = peakNanoseconds
        self.endNanoseconds = endNanoseconds
        self.refreshes = refreshes
        self.peakPerSecond = peakPerSecond
        self.held = held
        self.signOuts = signOuts
        self.recoveredAfterNanoseconds = recoveredAfterNanoseconds
    }
}

/// Whether the successful steps came back after something was done to the server.
public struct TriggerRow: Hashable, Sendable {
    /// What was done.
    public let name: String
    /// From when.
    public let startNanoseconds: Int64
    /// Until when; the start when it was over at once.
    public let endNanoseconds: Int64
    /// Successful steps each second in the minute before; nil when nothing was measured before.
    public let goodputBefore: Double?
    /// Successful steps each second in the last minute of the run; nil without time after it.
    public let goodputAfter: Double?
    /// How long after its end the goodput was back; nil when it was not within the run.
    public let recoveredAfterNanoseconds: Int64?

    /// A row from its parts.
    public init(
        name: String, startNanoseconds: Int64, endNanoseconds: Int64, goodputBefore: Double?,
        goodputAfter: Double?, recoveredAfterNanoseconds: Int64?
    ) {
        self.name = name
        self.startNanoseconds = startNanoseconds
        self.endNanoseconds = endNanoseconds
        self.goodputBefore = goodputBefore
        self.goodputAfter = goodputAfter
        self.recoveredAfterNanoseconds = recoveredAfterNanoseconds
    }

    /// Whether the system stayed down although nothing was wrong with it any more.
    public var isMetastable: Bool {
        guard let before = goodputBefore, let after = goodputAfter else { return false }
        return recoveredAfterNanoseconds == nil && after < before / 2
    }
}

extension StormView {
    var json: JSON {
        .object([
            "expiries": .integer(expiries), "refreshes": .integer(refreshes),
            "redundantRefreshes": .integer(redundantRefreshes),
            "unpromptedRefreshes": .integer(unpromptedRefreshes),
            "refreshesPerExpiry": .optional(refreshesPerExpiry, JSON.number),
            "singleFlightEfficiency": .optional(singleFlightEfficiency, JSON.number),
            "meanRefreshesPerSecond": .number(meanRefreshesPerSecond),
            "peakRefreshesPerSecond": .number(peakRefreshesPerSecond),
            "peakOverMean": .optional(peakOverMean, JSON.number),
            "heldRequests": .integer(heldRequests), "heldAtOnce": .integer(heldAtOnce),
            "heldForNs": .object(heldFor.members),
            "signOuts": .array(
                signOuts.map {
                    .object(["cause": .string($0.cause), "count": .integer($0.count)])
                }),
            "windows": .array(windows.map(\.json)),
        ])
    }
}

extension StormWindow {
    var json: JSON {
        .object([
            "startNs": .integer(startNanoseconds), "peakNs": .integer(peakNanoseconds),
            "endNs": .integer(endNanoseconds), "refreshes": .integer(refreshes),
            "peakPerSecond": .number(peakPerSecond), "held": .integer(held),
            "signOuts": .integer(signOuts),
            "recoveredAfterNs": .optional(recoveredAfterNanoseconds, JSON.integer),
        ])
    }
}

extension TriggerRow {
    var json: JSON {
        .object([
            "name": .string(name), "startNs": .integer(startNanoseconds),
            "endNs": .integer(endNanoseconds),
            "goodputBefore": .optional(goodputBefore, JSON.number),
            "goodputAfter": .optional(goodputAfter, JSON.number),
            "recoveredAfterNs": .optional(recoveredAfterNanoseconds, JSON.integer),
            "isMetastable": .bool(isMetastable),
        ])
    }
}
