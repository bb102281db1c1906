public import SquallFormat

/// A number that is estimated from several runs, with an interval that contains the true number
/// in 95 of 100 cases.
public struct ConfidenceInterval: Codable, Hashable, Sendable {
    /// The share of cases in which such an interval contains the true number.
    public static let level = 0.95

    /// The estimate.
    public let value: Double
    /// The lower end; nil without an interval, as for a single run.
    @OrNull public private(set) var low: Double?
    /// The upper end; nil without an interval, as for a single run.
    @OrNull public private(set) var high: Double?

    /// An estimate with the ends of its interval.
    public init(_ value: Double, low: Double?, high: Double?) {
        self.value = value
        self.low = low
        self.high = high
    }

    /// Half of its width; nil without an interval.
    public var halfWidth: Double? {
        guard let low, let high else { return nil }
        return (high - low) / 2
    }

    /// The distance of its upper end from the estimate, which is half of its width unless the lower
    /// end is cut at 0; `nil` without an interval.
    public var plusMinus: Double? {
        guard low != nil, let high else { return nil }
        return high - value
    }

    /// Half of its width as a share of the value; 0 where both are 0, nil without an interval.
    public var relativeHalfWidth: Double? {
        guard let halfWidth else { return nil }
        if halfWidth == 0 { return 0 }
        return value == 0 ? .infinity : halfWidth / value.magnitude
    }

    /// True for a number from the lower to the upper end; without an interval for none.
    public func contains(_ number: Double) -> Bool {
        guard let low, let high else { return false }
        return (low...high).contains(number)
    }
}
