/// Something a run measures; the cases are the whole list.
public enum Metric: UInt8, CaseIterable, Sendable {
    // In the order of their names, which is the order of every output.
    case auditFindings
    case expiredAnswers
    case hangs
    case items
    case journeyDelay
    case journeys
    case logicalRequests
    case pages
    case payments
    case refreshWait
    case refreshes
    case refreshesPerExpiredStep
    case refreshesPerExpiry
    case requestDuration
    case requestFailed
    case requests
    case retries
    case sessionsLost
    case stepDuration
    case stepFailed
    case steps
    case usersActive

    /// How values of a metric add up.
    public enum Kind: String, Sendable {
        /// A sum that only grows.
        case counter
        /// The share of samples that were true.
        case rate
        /// A distribution.
        case trend
        /// A sum over a sum, as in "refreshes for each expired step".
        case ratio
        /// A level that rises and falls; it has no tags, since levels of parts have no common peak.
        case gauge
    }

    /// What a metric's values are counted in.
    public enum Unit: String, Sendable {
        /// Whole things.
        case count
        /// Whole nanoseconds of virtual time.
        case nanoseconds = "ns"
        /// A quotient without unit.
        case ratio
    }

    /// What there is to know about a metric before a run.
    public struct Definition: Sendable {
        /// How profiles and results call it.
        public let name: String
        /// How its values add up.
        public let kind: Kind
        /// What its values are counted in.
        public let unit: Unit
        /// The tags its series carry, in the order of their names.
        public let tagKeys: [TagKey]
        /// One sentence that says what is counted, and when.
        public let summary: String
    }

    /// How profiles and results call the metric.
    public var name: String { definition.name }

    /// How its values add up.
    public var kind: Kind { definition.kind }

    /// The metric of that name, if there is one.
    public init?(name: String) {
        guard let metric = Metric.allCases.first(where: { $0.name == name }) else { return nil }
        self = metric
    }
}

extension Metric: Comparable {
    /// Whether the left metric's name comes first.
    public static func < (left: Metric, right: Metric) -> Bool {
        left.rawValue < right.rawValue
    }
}
