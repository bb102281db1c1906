public import SquallFormat
public import SquallReport

/// How figures change when one or two settings are varied: the content of `sweep.json`.
public struct SweepAnswer: Encodable, Sendable {
    /// The profile's name, and the question it asks.
    public let profile, experiment: String
    /// The varied settings: one or two.
    public let axes: [Axis]
    /// The figures that were asked for.
    public let figures: [String]
    /// Every place of the grid; the last axis changes fastest.
    public let points: [Point]
    /// What is expected, each as `--threshold` takes it.
    public let thresholds: [String]
    /// How many seeds each place was run with.
    public let replications: Int
    /// Attempts that were simulated.
    public let requests: Int64
    /// What part of each replication counts.
    public let measurementWindow: String
    /// Whether each replication had fitted settings of its own.
    public let drawsFitted: Bool
    /// The command that computes it again.
    public let replay: String
    /// The settings that were neither measured nor given; nil where there are none.
    public var assumed: [AssumedRow]?

    /// A varied setting.
    public struct Axis: Encodable, Sendable {
        /// Its name: `users`, `rate` or a key path.
        public let name: String
        /// Its values.
        public let values: [Double]
        /// The values as text.
        public let texts: [String]

        /// Whether the values are nanoseconds, which people read with a unit.
        var isDuration: Bool {
            zip(values, texts).contains { $0 >= 1e3 && $1.last?.isLetter == true }
        }

        /// The text of one of its values.
        func text(_ value: Double) -> String {
            zip(values, texts).first { $0.0 == value }?.1 ?? "\(value)"
        }
    }

    /// One place of the grid.
    public struct Point: Encodable, Sendable {
        /// Its values, one for each axis.
        public let values: [Double]
        /// The figures there, in the order they were asked for.
        public let figures: [Value]
        /// The indices of the thresholds that all replications together break, and of those that
        /// only hold or fail, the ones that some replication breaks.
        public let broken: [Int]
        /// Those of them that are broken because no replication has a sample.
        public internal(set) var unmeasured: [Int] = []
        /// The indices of the thresholds whose limit is within the interval of what replications
        /// say together, so that they may hold or not.
        public internal(set) var undecided: [Int] = []
        /// The peak rate of refreshes in closed form; nil where there is none.
        @OrNull public internal(set) var expectedRefreshPeak: Double?
    }

    /// A figure at a place.
    public struct Value: Encodable, Sendable {
        /// What it counts; nil where no replication has it.
        @OrNull public internal(set) var unit: Figure.Unit?
        /// Its mean over the replications that have it; nil where none has.
        @OrNull public internal(set) var estimate: ConfidenceInterval?
        /// How many replications have it.
        public let replications: Int
        /// Its text.
        public let text: String
        /// Whether it is as expected; nil where nothing is expected.
        @OrNull public internal(set) var isGood: Bool?
    }
}
