/// A measured number compared with the one from theory.
public struct SelfTestCheck: Equatable, Sendable {
    /// Chance explains no larger deviation: it would occur once in 16 000 checks.
    static let deviationsMax = 4.0

    /// The simulated model, as `M/M/1 ρ=0.8`.
    var model = ""
    /// The measured quantity, as `W_q`.
    let quantity: String
    /// The unit of both numbers; empty for a plain number.
    let unit: String
    let theory: Double
    /// The number from the simulation.
    let measured: Double
    /// The standard deviation of the measured number; 0 if both must be equal.
    let standardError: Double
    /// The distance in standard deviations; infinite if numbers differ that must be equal.
    let deviations: Double

    /// True if chance explains the difference.
    var ok: Bool { deviations.magnitude <= SelfTestCheck.deviationsMax }

    /// True if both must be equal: there is no randomness in them.
    var isExact: Bool { standardError == 0 }

    init(_ quantity: String, in unit: String = "", theory: Double, measured: Estimate) {
        self.init(quantity, unit, theory, measured, off: measured.deviations(from: theory))
    }

    /// Fails where a number is significantly larger than a limit.
    init(_ quantity: String, atMost limit: Double, _ measured: Estimate) {
        self.init(
            quantity, "", limit, measured,
            off: measured.mean <= limit ? 0 : measured.deviations(from: limit))
    }

    /// Makes a check that two whole numbers are equal.
    init(_ quantity: String, in unit: String = "", theory: Int64, exactly measured: Int64) {
        self.init(
            quantity, unit, Double(theory), Estimate(mean: Double(measured), standardError: 0),
            off: theory == measured ? 0 : .infinity)
    }

    private init(
        _ quantity: String, _ unit: String, _ theory: Double, _ measured: Estimate,
        off deviations: Double
    ) {
        (self.quantity, self.unit, self.theory) = (quantity, unit, theory)
        self.measured = measured.mean
        standardError = measured.standardError
        self.deviations = deviations
    }
}
