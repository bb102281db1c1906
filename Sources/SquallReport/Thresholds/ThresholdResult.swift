import SquallFormat

/// The result of judging a threshold.
public struct ThresholdResult: Codable, Sendable {
    /// Its metric and tags.
    public let metric: String
    /// The expectation as it was written.
    let expression: String
    /// Whether it held.
    public let ok: Bool
    /// How far inside the limit, as a share of it; negative beyond it.
    ///
    /// Nil where it is not defined: without samples, for `==` and `!=`, for a limit of 0.
    @OrNull private(set) var headroom: Double?
    /// Whether it ended the run.
    public let abortedRun: Bool
    /// The bare number that was observed.
    @OrNull private var number: Double?
    /// The unit of that number.
    @OrNull private var unit: Quantity.Unit?

    private enum CodingKeys: String, CodingKey {
        case metric, expression, ok, headroom, abortedRun, unit
        case number = "observed"
    }

    init(
        metric: String, expression: String, ok: Bool, observed: Quantity?, headroom: Double?,
        abortedRun: Bool
    ) {
        self.metric = metric
        self.expression = expression
        self.ok = ok
        self.headroom = headroom
        self.abortedRun = abortedRun
        number = observed?.magnitude
        unit = observed?.unit
    }

    /// What was observed; nil without a sample.
    public var observed: Quantity? {
        guard let number, let unit else { return nil }
        return Quantity(number, unit)
    }
}
