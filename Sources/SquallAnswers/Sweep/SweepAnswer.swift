import SquallFormat
public import SquallReport

/// Figures over one or two varied settings: the content of `sweep.json`.
public struct SweepAnswer: PlanAnswer, Sendable {
    /// The name of the file with its table.
    public static let csvFile = "sweep.csv"
    /// True: a sweep shows figures and expects none.
    public var hasPassed: Bool { true }

    /// The profile's name, and the question it asks.
    let profile, experiment: String
    /// The varied settings: one or two.
    let axes: [Axis]
    /// The figures that were asked for.
    let figures: [String]
    /// Every place of the grid; the last axis changes fastest.
    let points: [Point]
    /// The thresholds, each as `--threshold` takes it.
    let thresholds: [String]
    /// The number of seeds with which each place was run.
    let replications: Int
    /// Attempts that were simulated.
    public let requests: Int64
    /// The part of each replication that counts.
    let measurementWindow: String
    /// True if each replication had fitted settings of its own.
    let drawsFitted: Bool
    /// The command that computes it again.
    let replay: String
    /// The settings that were neither measured nor given; nil where there are none.
    public var assumed: [AssumedRow]?

    /// A varied setting.
    struct Axis: Encodable, Sendable {
        /// Its name: `users`, `rate` or a key path.
        let name: String
        let values: [Double]
        /// The values as text.
        let texts: [String]

        /// True if the values are nanoseconds, which people read with a unit.
        var isDuration: Bool {
            zip(values, texts).contains { $0 >= 1e3 && $1.last?.isLetter == true }
        }

        /// True if a stolen token is valid for as long as the setting says.
        var isTokenLifetime: Bool {
            ["accessLifetime", "refreshLifetime"].contains { name == "backend.tokens.\($0)" }
        }

        func text(_ value: Double) -> String {
            zip(values, texts).first { $0.0 == value }?.1 ?? "\(value)"
        }
    }

    /// One place of the grid.
    struct Point: Encodable, Sendable {
        /// Its values, one for each axis.
        let values: [Double]
        /// The figures there, in the order they were asked for.
        let figures: [Value]
        /// The indices of the thresholds that all replications together break, and of those that
        /// only hold or fail, the ones that some replication breaks.
        let broken: [Int]
        /// The broken thresholds without a sample in any replication.
        var unmeasured: [Int] = []
        /// The indices of the thresholds that may hold or not: their limit is within the interval
        /// over all replications together.
        var undecided: [Int] = []
        /// The peak rate of refreshes in closed form; nil where there is none.
        @OrNull var expectedRefreshPeak: Double?
    }

    /// A figure at a place.
    struct Value: Encodable, Sendable {
        /// The unit of the figure; `nil` where no replication has it.
        @OrNull var unit: NumberUnit?
        /// Its mean over the replications that have it; nil where none has.
        @OrNull var estimate: ConfidenceInterval?
        /// The number of replications that have it.
        let replications: Int
        let text: String
        /// True if it is as expected; `nil` where nothing is expected.
        @OrNull var isGood: Bool?
    }
}
