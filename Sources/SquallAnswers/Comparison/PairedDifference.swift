import SquallFormat
import SquallKernel
import SquallReport

/// One figure of two designs, seed by seed.
///
/// Both designs run with the same seeds, so their users do the same things; the differences of the
/// pairs are far less noisy than the figures (common random numbers; Law, *Simulation Modeling and
/// Analysis*, §11.2).
struct PairedDifference: Encodable, Sendable {
    /// The figure's name.
    let name: String
    /// The unit of its numbers.
    let unit: NumberUnit
    /// The means over the pairs.
    let a, b: Double
    /// B − A, with its interval over the pairs.
    let difference: ConfidenceInterval
    /// The probability that chance alone makes a difference this clear; nil where there is nothing
    /// to test.
    ///
    /// That is so with a single pair, and with pairs that are all equal. ``probabilityMin`` stands
    /// for anything smaller.
    @OrNull private(set) var probability: Double?
    /// The probability corrected for the number of figures compared (Holm).
    @OrNull var corrected: Double?
    /// The smallest true difference that this many pairs show in 80 of 100 cases, in the figure's
    /// unit; nil without an interval.
    @OrNull var detectable: Double?
    /// The reason for which a figure moved although nothing became better or worse; `nil`
    /// otherwise.
    @OrNull var dilution: Dilution?
    /// The largest difference from a driven run that still counts as equal: the lateness of the
    /// load generator, and 2 %; nil for designs.
    @OrNull var tolerance: Double?
    /// True if every simulation beside a driven run has the same number, another than the run's.
    let isWithoutSpread: Bool
    /// The number of seeds for which both designs have the figure.
    let pairs: Int
    /// The difference per step, call or journey, where that is the number that is judged; `nil`
    /// otherwise.
    @OrNull private(set) var perBase: PerBase?
    /// The correlation of A and B over the seeds, −1…1; nil where one does not vary.
    @OrNull private(set) var correlation: Double?
    /// The single number beside the others; nil for two designs.
    private let oneMore: OneMore?

    private enum CodingKeys: CodingKey {
        case name, unit, a, b, difference, probability, corrected, detectable, dilution, tolerance
        case isWithoutSpread, pairs, perBase, correlation
    }

    /// The level of significance of a difference.
    static let significance = 0.05
    /// The smallest probability reported: smaller ones rest on the far tail of a distribution that
    /// no figure follows so exactly.
    static let probabilityMin = 0.0001
    /// The share of cases in which a true difference should be detected.
    static let power = 0.8

    /// The reason for which a figure moved although nothing became better or worse.
    enum Dilution: String, CaseIterable, Encodable, Sendable {
        /// It fell because the whole grew.
        case wholeGrew
        /// It rose because the whole shrank.
        case wholeShrank
        /// It rose because more calls that were refused as expired were repeated and succeeded.
        case repairs
        /// It rose or fell with the number of steps, calls or journeys.
        case withBase
    }

    /// A number divided by the number of steps, calls or journeys that it grows with.
    struct PerBase: Encodable, Sendable {
        let base: FigureMeaning.Base
        /// The means over the pairs.
        let a, b: Double
        /// True if they differ by more than chance and the ends of the measured time explain.
        let isDistinct: Bool

        /// The least difference that counts: a hundredth, and a tenth of how the number itself
        /// changed.
        ///
        /// What was under way at the beginning and at the end is in one and not in the
        /// other.
        static func least(_ number: PairedDifference) -> Double { max(0.01, 0.1 * number.change) }
    }

    /// The size of the difference beside the larger number, 0…2.
    fileprivate var change: Double {
        let largest = max(a.magnitude, b.magnitude)
        return largest > 0 ? difference.value.magnitude / largest : 0
    }

    /// Divides the pairs' numbers by those of their base.
    mutating func divide(
        _ own: [(a: Double, b: Double)], by base: FigureMeaning.Base,
        _ bases: [(a: Double, b: Double)]
    ) {
        let quotients = zip(own, bases).compactMap { own, base in
            base.a > 0 && base.b > 0 ? (a: own.a / base.a, b: own.b / base.b) : nil
        }
        guard let pair = PairedDifference(name, .number, quotients, ofOne: oneMore != nil) else {
            return
        }
        perBase = PerBase(
            base: base, a: pair.a, b: pair.b,
            isDistinct: pair.change >= PerBase.least(self)
                && (pair.probability ?? 1) < Self.significance)
    }

    /// The pairs of a figure; nil where there are none.
    ///
    /// With `ofOne`, one number is the same in all pairs, that of a run which cannot be repeated:
    /// the interval is that of one further sample.
    init?(
        _ name: String, _ unit: NumberUnit, _ pairs: [(a: Double, b: Double)], ofOne: Bool = false
    ) {
        let differences = pairs.map { $0.b - $0.a }
        let least = Self.leastError(pairs)
        guard let difference = ConfidenceInterval(meanOf: differences, leastError: least) else {
            return nil
        }
        let isEqual = differences.allSatisfy { $0 == 0 }
        oneMore = ofOne && pairs.count > 1 && !isEqual ? OneMore(pairs, unit) : nil
        // Equal simulations say nothing about how far one more would be off.
        isWithoutSpread =
            ofOne && pairs.count > 1 && differences[0] != 0 && Set(differences).count == 1
        (self.name, self.unit) = (name, unit)
        self.difference =
            isWithoutSpread
            ? ConfidenceInterval(difference.value, low: nil, high: nil)
            : oneMore?.interval(of: difference.value) ?? difference
        self.pairs = pairs.count
        a = pairs.map(\.a).mean
        b = pairs.map(\.b).mean
        probability =
            isWithoutSpread
            ? 1 / Double(pairs.count + 1)
            : oneMore?.probability ?? Self.probability(differences, least)
        corrected = probability
        correlation = Self.correlation(pairs)
        detectable = detectable(amongFigures: 1)
    }

    /// The smallest true difference that a table of `count` figures shows in 80 of 100 cases.
    ///
    /// The error is estimated, too, so the quotient of both is of a noncentral t law; Abramowitz
    /// and Stegun (26.7.10) have it as a normal one. Holm's first step is the strictest.
    func detectable(amongFigures count: Int) -> Double? {
        guard let halfWidth = difference.halfWidth, probability != nil else { return nil }
        let freedom = pairs - 1
        let limit = StudentT.quantile(
            level: 1 - Self.significance / Double(count), freedom: freedom)
        let spread = (1 + limit * limit / (2 * Double(freedom))).squareRoot()
        let bias = 1 - 1 / (4 * Double(freedom))
        let errors = limit + PortableMath.normalQuantile(Self.power) * spread / bias
        return oneMore.map { $0.rise(of: errors) } ?? errors * halfWidth
            / StudentT.quantile(level: ConfidenceInterval.level, freedom: freedom)
    }

    /// True if the difference is significant.
    var isDistinct: Bool { (corrected ?? 1) < Self.significance }

    /// True if a driven run and its simulations are further apart than chance and the load
    /// generator explain.
    var disagrees: Bool { isDistinct && difference.value.magnitude > tolerance ?? .infinity }

    /// Judges equal simulations by the events that were counted, in the driven run and in all
    /// simulations: without a difference each event falls into any of the runs alike.
    mutating func count(_ own: Double, beside others: Double) {
        guard own + others <= 10_000 else { return }
        probability = max(
            Self.probabilityMin,
            Significance.binomial(Int(own), of: Int(own + others), share: 1 / Double(pairs + 1)))
        corrected = probability
    }

    /// Judges equal simulations of a shortest duration, which is a profile's least travel time and
    /// not random.
    mutating func becomeSure() {
        probability = Self.probabilityMin
        corrected = probability
    }

    /// The decision about a figure by its pairs; some cases only beside a driven run.
    enum Decision: String, CaseIterable {
        case better, worse, differs
        case tooSmall = "too small"
        case notSignificant = "not significant"
        case withinTolerance = "within tolerance"
        case identical
        case notTested = "not tested"
    }

    var decision: Decision {
        guard pairs >= ComparisonAnswer.seedsMin else { return .notTested }
        guard probability != nil else { return .identical }
        guard isDistinct else { return .notSignificant }
        guard tolerance == nil else { return disagrees ? .differs : .withinTolerance }
        guard isLarge else { return .tooSmall }
        return isBetter.map { $0 ? .better : .worse } ?? .differs
    }

    /// True if B is better; `nil` where the difference is not significant, or neither direction is
    /// better.
    var isBetter: Bool? {
        guard tolerance == nil else { return disagrees ? false : nil }
        guard isTold, dilution == nil, let less = KeyMetrics.lessIsBetter(name) else {
            return nil
        }
        return (perBase.map { $0.b < $0.a } ?? (difference.value < 0)) == less
    }

    /// True if the difference is large enough to speak of: half a percent, and of utilisation,
    /// which users do not feel, a percentage point.
    ///
    /// Of a share near all, what is left counts: from 99.9 to 99.5 % five times as many are missed.
    var isLarge: Bool {
        let parts = unit == .share ? [min(a, 1 - a), min(b, 1 - b)] : [a.magnitude, b.magnitude]
        let least = name == "server_busy" ? 0.01 : Self.shareMin * max(parts[0], parts[1])
        return difference.value.magnitude >= least
    }

    private static let shareMin = 0.005

    /// True if readers hear of the difference: it is significant and large enough.
    var isTold: Bool { isDistinct && isLarge }

    /// The means and their difference for readers, with the digits that the difference takes.
    var shown: (a: String, b: String, difference: String) {
        let changes = ShownChanges(unit, between: [a, b])
        return (changes.text(a), changes.text(b), changes.change(from: a, to: b))
    }

    /// The weight of the difference beside others: its size, 0…1, times the weight of the figure.
    ///
    /// A duration counts whole from a tenth of a second on, which is the least that people notice
    /// (Miller, *Response time in man-computer conversational transactions*, 1968), and a share
    /// from a percentage point on.
    var effect: Double {
        let (a, b) = (perBase?.a ?? a, perBase?.b ?? b)
        let largest = max(a.magnitude, b.magnitude)
        guard a != b, largest > 0 else { return 0 }
        let size = min(1, (a - b).magnitude / largest)
        let seen: Double =
            switch unit {
            case .nanoseconds: min(1, (a - b).magnitude / 1e8)
            case .share where perBase == nil: min(1, (a - b).magnitude / 0.01)
            default: 1
            }
        return size * seen * (FigureMeaning(of: name)?.weight ?? 0.05)
    }

    /// True if another figure is this one in another unit: its pairs are these times a factor, so
    /// both are equally sure and change by the same share.
    func saysTheSame(as other: PairedDifference) -> Bool {
        func isNear(_ x: Double, _ y: Double) -> Bool {
            x == y || (x - y).magnitude <= 1e-9 * max(x.magnitude, y.magnitude)
        }
        guard pairs == other.pairs, let width = difference.halfWidth,
            let otherWidth = other.difference.halfWidth
        else { return false }
        return isNear(a * other.b, b * other.a)
            && isNear(difference.value * otherWidth, other.difference.value * width)
    }

    /// The least error of the mean difference of whole numbers that are not all equal.
    ///
    /// Each is as if rounded, with a variance of 1/12. Without that two pairs of small counts have
    /// one difference by chance so often that 6 to 10 % of them would be called significant,
    /// however many figures are compared.
    private static func leastError(_ pairs: [(a: Double, b: Double)]) -> Double {
        guard pairs.contains(where: { $0.a != $0.b }),
            pairs.allSatisfy({ $0.a == $0.a.rounded() && $0.b == $0.b.rounded() })
        else { return 0 }
        return (1 / (6 * Double(pairs.count))).squareRoot()
    }

    private static func probability(
        _ differences: [Double], _ leastError: Double
    ) -> Double? {
        guard differences.count > 1, differences.contains(where: { $0 != 0 }) else { return nil }
        let (mean, error) = (differences.mean, max(leastError, differences.errorOfMean))
        guard error > mean.magnitude * 1e-12 else { return probabilityMin }
        let exact = StudentT.twoSided(mean / error, freedom: differences.count - 1)
        return max(probabilityMin, exact)
    }

    private static func correlation(_ pairs: [(a: Double, b: Double)]) -> Double? {
        guard pairs.count > 2 else { return nil }
        let (a, b) = (pairs.map(\.a).mean, pairs.map(\.b).mean)
        let aa = pairs.reduce(0) { $0 + ($1.a - a) * ($1.a - a) }
        let bb = pairs.reduce(0) { $0 + ($1.b - b) * ($1.b - b) }
        let ab = pairs.reduce(0) { $0 + ($1.a - a) * ($1.b - b) }
        let scale = (aa * bb).squareRoot()
        return scale > 0 ? ab / scale : nil
    }
}
