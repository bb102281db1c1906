/// The next point of a search for a zero between two points of opposite sign: regula falsi, with a
/// bisection every third time, so that a curve with a bend cannot hold one end still for long.
enum FalsePosition {
    private static let bisectionPeriod = 3

    /// How far from the low end to the high end the next point lies, from 0 to 1.
    ///
    /// At least `margin` from either end; the middle where a value is missing or the signs agree.
    static func share(_ low: Double?, _ high: Double?, turn: Int, margin: Double) -> Double {
        guard let low, let high, low < 0, high > 0, turn % bisectionPeriod != bisectionPeriod - 1
        else { return 0.5 }
        return min(1 - margin, max(margin, -low / (high - low)))
    }
}
