public import SquallFormat

/// A comparison of two populations with the same users: one, and another that shares its users.
public struct PairRow: Codable, Sendable {
    /// The population that shares the users.
    public let population: String
    /// The population that it shares them with.
    public let comparedWith: String
    /// The number of users in both.
    public let users: Int64
    /// The compared quantities, in the order of the tables.
    public let differences: [Difference]

    /// A pair of populations.
    public init(population: String, comparedWith: String, users: Int64, differences: [Difference]) {
        self.population = population
        self.comparedWith = comparedWith
        self.users = users
        self.differences = differences
    }

    /// The mean difference of a quantity per user between the two populations.
    public struct Difference: Codable, Sendable {
        /// The quantity.
        public let quantity: Quantity
        /// The mean difference over all users; durations in nanoseconds.
        public let mean: Double
        /// Half the width of its 95 % confidence interval; nil with fewer than two users.
        @OrNull public private(set) var halfWidth: Double?

        /// The mean of paired differences with Student's interval.
        ///
        /// Quantiles of t by the expansion of Cornish and Fisher, exact to 0.1 % from 5 users on.
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
            halfWidth = quantile * (squares / freedom / count).squareRoot()
        }
    }

    /// A quantity that is compared.
    public enum Quantity: String, CaseIterable, Codable, Sendable {
        /// Attempts.
        case attempts
        /// Refreshes among them.
        case refreshes
        /// Steps that failed.
        case failed
        /// Steps that hung.
        case hung
        /// Time that the user waited for steps, in nanoseconds.
        case waited
    }
}
