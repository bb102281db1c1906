import SquallFormat
public import SquallReport

/// One number of a long run, with an interval from the run's batches.
public struct BatchFigure: Encodable, Sendable {
    /// Its name, as `step_duration p(95)`.
    public let name: String
    /// What it counts.
    let unit: Figure.Unit
    /// The number in each batch alone; nil where one has none.
    let values: [Double?]
    /// The number of the whole run, and the interval around it.
    public let estimate: ConfidenceInterval
    /// The correlation of each batch with the next; nil where it cannot be computed.
    @OrNull private(set) var lag1: Double?
    /// Whether `lag1` is no larger than chance makes it, so that the interval can be trusted.
    let isIndependent: Bool

    /// Computes a number and its interval from the batches; nil where the whole run has no number.
    ///
    /// Each batch is left out once. With θ the number of the whole and θ₋ᵢ that of the rest,
    /// n·θ − (n−1)·θ₋ᵢ is the batch's own contribution; for a mean it is the batch's own mean. The
    /// interval is Student's over these (a jackknife over batches), around the run's own number. No
    /// number of a run is below 0, so the interval is cut at 0.
    init?(
        _ name: String, _ unit: Figure.Unit, whole: Double?, alone: [Double?], without: [Double?]
    ) {
        guard let whole else { return nil }
        (self.name, self.unit, values) = (name, unit, alone)
        let sayings = without.pseudoValues(of: whole)
        let width = sayings.flatMap { ConfidenceInterval(meanOf: $0)?.halfWidth }
        estimate = ConfidenceInterval(
            whole, low: width.map { max(0, whole - $0) }, high: width.map { whole + $0 })
        let correlation = sayings.flatMap(SerialCorrelation.init)
        lag1 = correlation?.lag1
        isIndependent = correlation?.isIndependent ?? true
    }
}
