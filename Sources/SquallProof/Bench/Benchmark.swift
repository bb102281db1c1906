/// One measured operation of `squall-dev bench`.
public struct Benchmark: Sendable {
    /// Its group and the operation: `kernel/timer hold, 1k pending`.
    public let name: String
    /// One operation of it, in a sentence.
    let about: String
    /// The number of measurements, after one warm-up; the median counts.
    ///
    /// A benchmark that is measured once has no warm-up.
    let repetitions: Int
    /// True if it needs its own process, because it measures memory.
    public let isAlone: Bool
    /// Performs the operation many times and returns the time.
    let measure: @Sendable () throws -> Sample

    /// Makes a benchmark.
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

    /// The real time of a number of operations.
    public struct Sample: Sendable {
        let operations: Int
        /// Their total real time in nanoseconds.
        let nanoseconds: Int64
        /// A remark printed beside the time, such as `913 B a user`; usually empty.
        var note = ""

        var nanosecondsPerOperation: Double {
            Double(nanoseconds) / Double(max(1, operations))
        }
    }

    /// All benchmarks, in the order of their list.
    public static let all: [Benchmark] = kernel + contract + client + stack + schedules
}
