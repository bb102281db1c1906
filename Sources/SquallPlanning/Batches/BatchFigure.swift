public import SquallFormat
public import SquallReport

/// One number of a long run, with an interval from the batches that the run was cut into.
public struct BatchFigure: Codable, Hashable, Sendable {
    /// Its name, as `step_duration p(95)`.
    public let name: String
    /// What it counts.
    public let unit: Figure.Unit
    /// The number in each batch alone; nil where one has none.
    public let values: [Double?]
    /// The number of the whole run, and the interval around it.
    public let estimate: ConfidenceInterval
    /// How much each batch says about the next; nil where that cannot be told.
    @OrNull public private(set) var lag1: Double?
    /// Whether that is no more than chance makes of it, so that the interval can be believed.
    public let isIndependent: Bool

    /// A number that can be worked out of any part of a run; nil where the whole has none.
    ///
    /// Each batch is left out once. Of the number θ of the whole and θ₋ᵢ of the rest,
    /// n·θ − (n−1)·θ₋ᵢ stands for what the batch says; of a mean that is the batch's own mean. The
    /// interval is Student's of these (a jackknife over batches), around the run's own number. No
    /// number of a run is below 0, and so no interval is.
    init?(
        _ name: String, _ unit: Figure.Unit, whole: Double?, alone: [Double?], without: [Double?]
    ) {
        guard let whole else { return nil }
        self.name = name
        self.unit = unit
        values = alone
        let count = Double(without.count)
        let sayings = without.compactMap { $0 }.map { count * whole - (count - 1) * $0 }
        let isKnown = sayings.count == without.count
        let width = isKnown ? ConfidenceInterval(meanOf: sayings)?.halfWidth : nil
        estimate = ConfidenceInterval(
            whole, low: width.map { max(0, whole - $0) }, high: width.map { whole + $0 })
        let correlation = isKnown ? SerialCorrelation(of: sayings) : nil
        lag1 = correlation?.lag1
        isIndependent = correlation?.isIndependent ?? true
    }
}
