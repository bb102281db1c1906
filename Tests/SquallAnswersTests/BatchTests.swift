import SquallKernel
@testable import SquallAnswers
@testable import SquallLab
import SquallReport
import Testing

@testable import SquallProof

@Suite("Batch means")
struct BatchTests {
    /// Numbers with mean 0 of which each keeps a share of the one before.
    private func row(_ count: Int, keeping share: Double, seed: UInt64) -> [Double] {
        let stream = RandomStream(seed: seed)
        var level = 0.0
        return (0..<UInt64(count)).map { index in
            level = share * level + stream.unit(at: index) - 0.5
            return level
        }
    }

    /// The mean of a row that is cut into batches; the numbers are moved above 0.
    private func mean(of row: [Double], batches: Int) throws -> BatchFigure {
        let row = row.map { $0 + 100 }
        let length = row.count / batches
        let sums = (0..<batches).map { row[$0 * length..<($0 + 1) * length].reduce(0, +) }
        let all = sums.reduce(0, +)
        let rest = Double(row.count - length)
        return try #require(
            BatchFigure(
                "level", .number, whole: all / Double(row.count),
                alone: sums.map { $0 / Double(length) }, without: sums.map { (all - $0) / rest }))
    }

    @Test("The correlation of a number with the next is that worked out by hand")
    func correlation() throws {
        // Distances -2 -1 0 1 2: products 2 + 0 + 0 + 2 over squares 10.
        let rising = try #require(SerialCorrelation(of: [1, 2, 3, 4, 5]))
        #expect((rising.lag1 - 0.4).magnitude < 1e-12 && !rising.isIndependent)
        let jumping = try #require(SerialCorrelation(of: [1, 5, 1, 5, 1, 5]))
        #expect(jumping.lag1 < 0 && jumping.isIndependent)
        #expect(SerialCorrelation(of: [3, 3, 3, 3]) == nil)
    }

    @Test("Of independent rows one in twenty is called correlated, of correlated ones most")
    func independence() {
        func accepted(_ share: Double) -> Int {
            (1...400).count { seed in
                SerialCorrelation(of: row(20, keeping: share, seed: seed))?.isIndependent ?? false
            }
        }
        #expect((365...392).contains(accepted(0)))
        #expect(accepted(0.8) < 60)
    }

    @Test("Of a mean the interval is Student's of the batches' own means, around the whole's")
    func jackknife() throws {
        let figure = try mean(of: row(2_000, keeping: 0.5, seed: 1), batches: 20)
        let values = figure.values.compactMap { $0 }
        let plain = try #require(ConfidenceInterval(meanOf: values))
        #expect((figure.estimate.value - plain.value).magnitude < 1e-9)
        #expect(((figure.estimate.halfWidth ?? 0) - (plain.halfWidth ?? 1)).magnitude < 1e-9)
    }

    @Test("No end of an interval is below 0, as no number of a run is")
    func fromNought() throws {
        // Batches of 1, 2 and 3: mean 2, standard error 1/√3, t of two degrees of freedom 4.3027.
        let figure = try #require(
            BatchFigure("level", .number, whole: 2, alone: [1, 2, 3], without: [2.5, 2, 1.5]))
        #expect(figure.estimate.low == 0)
        #expect(((figure.estimate.high ?? 0) - (2 + 4.3027 / 3.0.squareRoot())).magnitude < 1e-3)
    }

    @Test("Long batches of correlated values cover the mean in 95 of 100; short ones warn")
    func coverage() throws {
        let long = try (1...200).map {
            try mean(of: row(8_000, keeping: 0.8, seed: $0), batches: 20)
        }
        // 190 of 200 less four standard deviations.
        #expect(long.count { $0.estimate.contains(100) } > 177)
        #expect(long.count(where: \.isIndependent) > 170)
        let short = try (1...200).map { try mean(of: row(40, keeping: 0.9, seed: $0), batches: 20) }
        #expect(short.count { $0.estimate.contains(100) } < 140)
        #expect(short.count(where: \.isIndependent) < 60)
    }

    @Test("The mean stay in M/M/1 is in the interval of one long run")
    func queue() throws {
        let profile = try QueueWorld.experiment(
            .open(rate: 5), seed: 1, duration: "2100s", warmUp: "100s", threshold: "avg<1s"
        ).profile
        let queue = QueueWorld(workers: 1, meanServiceSeconds: 0.1)
        let run = BatchedRun(queue.run(profile, batches: 20))
        let answer = BatchesAnswer(run, of: profile, named: "queue", replay: "")
        let stay = try #require(answer.figures.first { $0.name == "step_duration avg" })
        #expect(stay.estimate.contains(1e9 / (10 - 5)) && stay.isIndependent)
        #expect(try #require(stay.estimate.relativeHalfWidth) < 0.1)
        #expect(answer.thresholds[0].observed?.estimate.value == stay.estimate.value)
        #expect(!answer.figures.contains { $0.name.hasSuffix(" count") })
    }
}
