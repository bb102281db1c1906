import SquallLab

/// A measured number held against what theory says of it.
public struct SelfTestCheck: Hashable, Sendable {
    /// Beyond how many standard deviations chance is no excuse: once in 16 000 checks.
    public static let deviationsMax = 4.0

    /// What was simulated, as `M/M/1 ρ=0.8`.
    public let model: String
    /// What was measured, as `W_q`.
    public let quantity: String
    /// The unit of both numbers; empty for a plain number.
    public let unit: String
    /// What theory says.
    public let theory: Double
    /// What the simulation did.
    public let measured: Double
    /// The standard deviation of the measured number; 0 where the two must be equal.
    public let standardError: Double
    /// How many standard deviations the two are apart; infinite where equals differ.
    public let deviations: Double

    /// Whether chance explains the difference.
    public var ok: Bool { deviations.magnitude <= SelfTestCheck.deviationsMax }

    /// Whether the two must be equal.
    public var isExact: Bool { standardError == 0 }

    init(
        _ quantity: String, of model: String, in unit: String = "", theory: Double,
        measured: Estimate
    ) {
        self.model = model
        self.quantity = quantity
        self.unit = unit
        self.theory = theory
        self.measured = measured.mean
        standardError = measured.standardError
        deviations = measured.deviations(from: theory)
    }

    /// A number that may be smaller than what it is held against, but not larger.
    init(_ quantity: String, of model: String, atMost limit: Double, _ measured: Estimate) {
        self.model = model
        self.quantity = quantity
        unit = ""
        theory = limit
        self.measured = measured.mean
        standardError = measured.standardError
        deviations = measured.mean <= limit ? 0 : measured.deviations(from: limit)
    }

    /// Two whole numbers that must be the same.
    init(
        _ quantity: String, of model: String, in unit: String = "", theory: Int64,
        exactly measured: Int64
    ) {
        self.model = model
        self.quantity = quantity
        self.unit = unit
        self.theory = Double(theory)
        self.measured = Double(measured)
        standardError = 0
        deviations = theory == measured ? 0 : .infinity
    }
}
