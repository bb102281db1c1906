public import SquallFormat
import SquallLab
public import SquallReport

/// What becomes of figures where one or two settings are varied: the content of `sweep.json`.
public struct SweepAnswer: Codable, Hashable, Sendable {
    /// The profile's name, and the question it asks.
    public let profile, question: String
    /// What is varied: one setting or two.
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
    public let regime: String
    /// Whether each replication had fitted settings of its own.
    public let drawsFitted: Bool
    /// The command that works it out again.
    public let replay: String

    /// A setting that is varied.
    public struct Axis: Codable, Hashable, Sendable {
        /// Its name: `users`, `rate` or a key path.
        public let name: String
        /// Its values.
        public let values: [Double]
        /// How people read them.
        public let texts: [String]

        /// Whether the values are nanoseconds, which people read with a unit.
        var isDuration: Bool {
            zip(values, texts).contains { $0 >= 1e3 && $1.last?.isLetter == true }
        }

        /// How people read one of its values.
        func text(_ value: Double) -> String {
            zip(values, texts).first { $0.0 == value }?.1 ?? "\(value)"
        }
    }

    /// One place of the grid.
    public struct Point: Codable, Hashable, Sendable {
        /// Its values, one of each axis.
        public let values: [Double]
        /// The figures there, in the order they were asked for.
        public let figures: [Value]
        /// Those of the thresholds that some replication does not keep, by their positions.
        public let broken: [Int]
        /// What closed forms say of the peak of refreshes; nil where there is none.
        @OrNull public internal(set) var expectedRefreshPeak: Double?
    }

    /// A figure at a place.
    public struct Value: Codable, Hashable, Sendable {
        /// What it counts; nil where no replication has it.
        @OrNull public internal(set) var unit: Figure.Unit?
        /// Its mean over the replications that have it; nil where none has.
        @OrNull public internal(set) var estimate: ConfidenceInterval?
        /// How many have it.
        public let replications: Int
        /// How it reads.
        public let text: String
        /// Whether it is as wanted; nil where nothing is.
        @OrNull public internal(set) var isGood: Bool?
    }
}
