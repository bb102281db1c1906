public import SquallFormat
public import SquallReport

/// One figure of two designs, seed by seed.
///
/// Both designs run with the same seeds, so their users do the same things; the differences of the
/// pairs are far less noisy than the figures (common random numbers; Law, *Simulation Modeling and
/// Analysis*, §11.2).
public struct PairedDifference: Codable, Hashable, Sendable {
    /// The figure's name.
    public let name: String
    /// What it counts.
    public let unit: Figure.Unit
    /// The means over the pairs.
    public let a, b: Double
    /// B − A, with its interval over the pairs.
    public let difference: ConfidenceInterval
    /// How likely a difference this clear is by chance if there is none; nil where there is no
    /// question.
    ///
    /// A single pair asks nothing, nor do pairs that are all equal. ``probabilityMin`` stands for
    /// anything smaller.
    @OrNull public private(set) var probability: Double?
    /// The same, corrected for how many figures are looked at (Holm).
    @OrNull public internal(set) var corrected: Double?
    /// The smallest true difference that this many pairs show in 80 of 100 cases, in the figure's
    /// unit; nil without an interval.
    @OrNull public internal(set) var detectable: Double?
    /// What moved a share, where it was not what it counts; nil otherwise.
    @OrNull public internal(set) var dilution: Dilution?
    /// In how many seeds both designs have the figure.
    public let pairs: Int
    /// How alike the two are from seed to seed, −1…1; nil where one does not vary.
    @OrNull public private(set) var correlation: Double?

    /// How sure one has to be of a difference.
    public static let significance = 0.05
    /// The least probability that is told: smaller ones rest on the far end of a law that no figure
    /// follows so exactly.
    public static let probabilityMin = 0.0001
    /// In which share of cases a difference is to be seen.
    static let power = 0.8

    /// Why a share moved although what it counts did not follow.
    public enum Dilution: String, CaseIterable, Codable, Sendable {
        /// It fell, because there is more of what it is a share of.
        case wholeGrew
        /// It rose, because there is less of what it is a share of.
        case wholeShrank
    }

    /// The pairs of a figure; nil where there are none.
    init?(_ name: String, _ unit: Figure.Unit, _ pairs: [(a: Double, b: Double)]) {
        guard let difference = ConfidenceInterval(meanOf: pairs.map { $0.b - $0.a }) else {
            return nil
        }
        self.name = name
        self.unit = unit
        self.difference = difference
        self.pairs = pairs.count
        a = pairs.map(\.a).mean
        b = pairs.map(\.b).mean
        probability = Self.probability(pairs.map { $0.b - $0.a })
        corrected = probability
        correlation = Self.correlation(pairs)
        detectable = detectable(amongFigures: 1)
    }

    /// The smallest true difference that a table of so many figures shows in 80 of 100 cases: the
    /// error of the mean times the quantiles that a difference has to pass and is to reach (Law,
    /// §11.2; Holm's first step asks the most of a figure).
    func detectable(amongFigures count: Int) -> Double? {
        guard let halfWidth = difference.halfWidth, probability != nil else { return nil }
        let freedom = pairs - 1
        let error = halfWidth / StudentT.quantile(level: ConfidenceInterval.level, freedom: freedom)
        let share = Self.significance / Double(count)
        return error
            * (StudentT.quantile(level: 1 - share, freedom: freedom)
                + StudentT.quantile(level: 2 * Self.power - 1, freedom: freedom))
    }

    /// Whether chance does not explain it.
    public var isDistinct: Bool { (corrected ?? 1) < Self.significance }

    /// Whether B is better; nil where the two are not told apart, or neither way is better.
    public var isBetter: Bool? {
        guard isDistinct, dilution == nil, let less = Headlines.lessIsBetter(name) else {
            return nil
        }
        return (difference.value < 0) == less
    }

    /// Whether another figure is this one in another measure: its pairs are these times a factor,
    /// so that both are equally sure and change by the same share.
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

    private static func probability(_ differences: [Double]) -> Double? {
        guard differences.count > 1, differences.contains(where: { $0 != 0 }) else { return nil }
        let (count, mean) = (Double(differences.count), differences.mean)
        let squares = differences.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        let error = (squares / (count - 1) / count).squareRoot()
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
