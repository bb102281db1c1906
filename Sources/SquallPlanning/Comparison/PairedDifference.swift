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
    /// How likely a difference this clear is by chance if there is none; nil with a single pair.
    @OrNull public private(set) var probability: Double?
    /// The same, corrected for how many figures are looked at (Holm).
    @OrNull public internal(set) var corrected: Double?
    /// In how many seeds both designs have the figure.
    public let pairs: Int
    /// How alike the two are from seed to seed, −1…1; nil where one does not vary.
    @OrNull public private(set) var correlation: Double?

    /// How sure one has to be of a difference.
    public static let significance = 0.05

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
    }

    /// Whether chance does not explain it.
    public var isDistinct: Bool { (corrected ?? 1) < Self.significance }

    /// Whether B is better; nil where the two are not told apart, or neither way is better.
    public var isBetter: Bool? {
        guard isDistinct, let less = Headlines.lessIsBetter(name) else { return nil }
        return (difference.value < 0) == less
    }

    /// The difference as a share of A; nil where A is 0.
    public var relative: Double? { a == 0 ? nil : difference.value / a.magnitude }

    private static func probability(_ differences: [Double]) -> Double? {
        guard differences.count > 1 else { return nil }
        let (count, mean) = (Double(differences.count), differences.mean)
        let squares = differences.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        let error = (squares / (count - 1) / count).squareRoot()
        guard error > mean.magnitude * 1e-12 else { return mean == 0 ? 1 : 0 }
        return StudentT.twoSided(mean / error, freedom: differences.count - 1)
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
