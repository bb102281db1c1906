public import SquallFormat

/// How the same people fared twice: in a population, and in one that shares its habits.
public struct PairRow: Codable, Hashable, Sendable {
    /// The population that shares habits.
    public let population: String
    /// Whose habits it shares.
    public let against: String
    /// How many people there are.
    public let people: Int64
    /// What was compared, in the order of the tables.
    public let differences: [Difference]

    /// A pair of populations.
    public init(population: String, against: String, people: Int64, differences: [Difference]) {
        self.population = population
        self.against = against
        self.people = people
        self.differences = differences
    }

    /// How much more of something each person had, on average, than in the other population.
    public struct Difference: Codable, Hashable, Sendable {
        /// What was counted.
        public let quantity: Quantity
        /// The mean over all people of the difference; times in nanoseconds.
        public let mean: Double
        /// Half the width of its 95 % confidence interval; nil with fewer than two people.
        @OrNull public private(set) var margin: Double?

        /// The mean of paired differences with Student's interval.
        ///
        /// Quantiles of t by the expansion of Cornish and Fisher, to 0.1 % from 5 people on.
        public init(_ quantity: Quantity, of differences: [Double]) {
            self.quantity = quantity
            let count = Double(differences.count)
            let mean = count > 0 ? differences.reduce(0, +) / count : 0
            self.mean = mean
            guard count > 1 else { return }
            let squares = differences.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
            let (freedom, z) = (count - 1, 1.959_963_984_540_054)
            let (cube, fifth) = (z * z * z, z * z * z * z * z)
            let second = (5 * fifth + 16 * cube + 3 * z) / (96 * freedom * freedom)
            let quantile = z + (cube + z) / (4 * freedom) + second
            margin = quantile * (squares / freedom / count).squareRoot()
        }
    }

    /// What is compared.
    public enum Quantity: String, CaseIterable, Codable, Sendable {
        /// Calls on the wire.
        case calls
        /// Refreshes among them.
        case refreshes
        /// Steps that failed.
        case failed
        /// Steps that were given up.
        case hung
        /// Time waited for steps, in nanoseconds.
        case waited
    }
}
