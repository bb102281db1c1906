/// The times of one benchmark, alone or in turns with another build.
public struct BenchmarkResult: Sendable {
    let benchmark: Benchmark
    /// The times of one operation.
    let times: BenchReport.Entry
    /// The ratio of this build's time to the other's, where they took turns.
    var ratio: PairedRatio?

    /// Takes the times that another process measured.
    public init(_ benchmark: Benchmark, _ times: BenchReport.Entry) {
        (self.benchmark, self.times) = (benchmark, times)
    }

    /// Measures a benchmark in this process: the median of some repetitions, after one that only
    /// warms the caches.
    ///
    /// - Throws: the reason for which there is no number.
    public init(_ benchmark: Benchmark, isOnce: Bool) throws {
        // Later ones reuse memory that the first one takes, so its note is the true one.
        let first = try benchmark.measure()
        let samples =
            isOnce || benchmark.repetitions == 1
            ? [first] : try (0..<benchmark.repetitions).map { _ in try benchmark.measure() }
        let times = samples.map(\.nanosecondsPerOperation).sorted()
        self.init(
            benchmark,
            BenchReport.Entry(
                name: benchmark.name, medianNs: times[times.count / 2], fastestNs: times[0],
                note: first.note))
    }

    /// Takes the times that this build and another one measured in turns.
    ///
    ///  - Precondition: there is at least one pair.
    public init(
        _ benchmark: Benchmark, pairs: [(own: BenchReport.Entry, other: BenchReport.Entry)]
    ) {
        let times = pairs.map(\.own.medianNs).sorted()
        self.init(
            benchmark,
            BenchReport.Entry(
                name: benchmark.name, medianNs: times[times.count / 2],
                fastestNs: pairs.compactMap(\.own.fastestNs).min(), note: pairs[0].own.note))
        ratio = PairedRatio(
            pairs.map { $0.own.medianNs / max($0.other.medianNs, .leastNonzeroMagnitude) })
    }

    var operationsPerSecond: Double { times.medianNs > 0 ? 1e9 / times.medianNs : 0 }
}

/// The ratio of two builds that took turns: the median over the pairs, and each pair's ratio.
///
/// The true median is between the least and the greatest of five pairs with a probability of
/// 1 − 2/2⁵, about 94 %, for any distribution.
struct PairedRatio: Hashable {
    let median, least, greatest: Double

    /// - Precondition: there is at least one pair.
    init(_ ratios: [Double]) {
        let sorted = ratios.sorted()
        (median, least, greatest) = (sorted[sorted.count / 2], sorted[0], sorted[sorted.count - 1])
    }
}
