import SquallLab

/// One measured operation of `squall bench`.
public struct Benchmark: Sendable {
    /// Where the operation belongs and what it is: `kernel/timer hold, 1k pending`.
    public let name: String
    /// What one operation consists of, in one sentence.
    public let about: String
    /// How often it is measured, after one time that only warms up; the median counts.
    ///
    /// What is measured once is not warmed up for.
    public let repetitions: Int
    /// Whether it needs a process of its own, because it says how much memory something takes.
    public let isAlone: Bool
    /// Performs the operation many times and says how long that took.
    public let measure: @Sendable () throws -> Sample

    /// A benchmark from its parts.
    public init(
        _ name: String, about: String, repetitions: Int = 3, isAlone: Bool = false,
        measure: @escaping @Sendable () throws -> Sample
    ) {
        self.name = name
        self.about = about
        self.repetitions = repetitions
        self.isAlone = isAlone
        self.measure = measure
    }

    /// How long a number of operations took on the real clock.
    public struct Sample: Hashable, Sendable {
        /// How many operations.
        public let operations: Int
        /// The real nanoseconds they took together.
        public let nanoseconds: Int64
        /// Anything else worth printing beside the time, as `913 B a user`; usually empty.
        public let note: String

        /// A sample from its parts.
        public init(operations: Int, nanoseconds: Int64, note: String = "") {
            self.operations = operations
            self.nanoseconds = nanoseconds
            self.note = note
        }

        /// Nanoseconds per operation.
        public var nanosecondsPerOperation: Double {
            Double(nanoseconds) / Double(max(1, operations))
        }
    }

    /// Every benchmark, in the order in which they are listed.
    public static let all: [Benchmark] = kernel + contract + client + stack + schedules
}
