import SquallFormat
import SquallKernel
import SquallReport

/// A single number beside several of its kind: how far off one more of these would be.
///
/// Student's t holds where numbers have no long tail. Near saturation durations have one, and so
/// have counts of what comes in bursts: in such figures 8 to 18 of 100 releases that changed
/// nothing would be called different. So durations are compared by their logarithms and other
/// amounts by their square roots, which have short tails. Both are the same test in any unit.
struct OneMore: Sendable {
    private let scale: Scale
    private let one, mean, deviation: Double
    private let others: Int
    /// True if differences are the single number less the others.
    private let isLast: Bool

    /// The pairs of a single number, in each the same, and the others, two or more.
    init(_ pairs: [(a: Double, b: Double)], _ unit: NumberUnit) {
        isLast = Set(pairs.map(\.b)).count == 1
        let (numbers, one) =
            isLast ? (pairs.map(\.a), pairs[0].b) : (pairs.map(\.b), pairs[0].a)
        let least = min(one, numbers.min() ?? one)
        let scale: Scale =
            least < 0 ? .plain : unit == .nanoseconds && least > 0 ? .logarithms : .squareRoots
        let scaled = numbers.map(scale.of)
        (self.scale, self.one, others) = (scale, scale.of(one), numbers.count)
        mean = scaled.mean
        deviation = scaled.errorOfMean * Double(others + 1).squareRoot()
    }

    /// The probability that one more is so far off.
    var probability: Double {
        guard deviation > (one - mean).magnitude * 1e-12 else {
            return PairedDifference.probabilityMin
        }
        let exact = StudentT.twoSided((one - mean) / deviation, freedom: others - 1)
        return max(PairedDifference.probabilityMin, exact)
    }

    /// A difference with what one more would be off.
    func interval(of difference: Double) -> ConfidenceInterval {
        let quantile = StudentT.quantile(level: ConfidenceInterval.level, freedom: others - 1)
        let (single, width) = (scale.back(one), quantile * deviation)
        let (low, high) = (scale.back(mean - width) - single, scale.back(mean + width) - single)
        return ConfidenceInterval(
            difference, low: isLast ? -high : low, high: isLast ? -low : high)
    }

    /// The size of a rise by so many deviations.
    func rise(of deviations: Double) -> Double {
        scale.back(mean + deviations * deviation) - scale.back(mean)
    }

    private enum Scale {
        case plain, logarithms, squareRoots

        func of(_ number: Double) -> Double {
            switch self {
            case .plain: number
            case .logarithms: PortableMath.log(number)
            case .squareRoots: number.squareRoot()
            }
        }

        /// The number of which it is the scaled one; none is below 0.
        func back(_ scaled: Double) -> Double {
            switch self {
            case .plain: scaled
            case .logarithms: PortableMath.exp(min(scaled, 40))
            case .squareRoots: max(0, scaled) * max(0, scaled)
            }
        }
    }
}
