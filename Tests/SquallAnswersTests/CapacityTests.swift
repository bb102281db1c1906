import SquallFormat
import SquallKernel
import SquallReport
import Testing

@testable import SquallAnswers
@testable import SquallProof

@Suite("Capacity")
struct CapacityTests {
    /// The rate at which 5 % of the stays in M/M/1 reach a limit: stays are exponential with mean
    /// 1/(μ − λ), so λ = μ − ln 20 / limit.
    private let truth = 10 - PortableMath.log(20) / 1.0

    private func answer(
        seed: UInt64, duration: String = "100s", threads: Int = 2,
        _ change: (inout CapacityOptions) -> Void = { _ in }
    ) throws -> CapacityAnswer {
        let experiment = try QueueWorld.experiment(
            .open(rate: 3), seed: seed, duration: duration, threshold: "p(95)<1s")
        var options = CapacityOptions.standard
        options.replicationsMax = 16
        change(&options)
        let replicator = QueueWorld(workers: 1, meanServiceSeconds: 0.1)
            .replicator(threads: threads)
        return try CapacitySearch(Variation("rate", of: experiment), options, replicator)
            .answer(replay: "")
    }

    @Test("The interval holds the capacity of M/M/1 under a p95 limit", arguments: 1...2)
    func queue(seed: Int) throws {
        let answer = try answer(seed: UInt64(seed))
        let capacity = try #require(answer.capacity)
        #expect(answer.outcome == .found)
        #expect(answer.binding == "step_duration: p(95)<1s")
        // Each within three half-widths, which a right 95 % interval never leaves.
        #expect((capacity.value - truth).magnitude < 3 * (capacity.halfWidth ?? 0))
    }

    /// The answer where the fit's rate may be off by a factor, and is drawn.
    private func drawn(_ factor: Double) throws -> CapacityAnswer {
        let path = "populations[0].load.open.stages[0].constant.rate"
        let experiment = try QueueWorld.experiment(
            .open(rate: 3), seed: 1, duration: "40s", threshold: "p(95)<1s",
            fitted: "\"\(path)\": [\(1 / factor), \(factor)]")
        var options = CapacityOptions.standard
        options.replicationsMax = 16
        let replicator = QueueWorld(workers: 1, meanServiceSeconds: 0.1).replicator(threads: 2)
        return try CapacitySearch(
            Variation("rate", of: experiment.drawingFitted()), options, replicator
        ).answer(replay: "")
    }

    @Test(
        "The uncertainty of a fit is added to a capacity's interval as squares")
    func fitted() throws {
        let sure = try drawn(1)
        #expect(sure.fitted?.spread == 0)
        #expect(try sure.capacity == answer(seed: 1, duration: "40s").capacity)
        // A rate that is really so many times as high lets so many times fewer of it be carried.
        let unsure = try drawn(1.3)
        let (capacity, fitted) = (try #require(unsure.capacity), try #require(unsure.fitted))
        let (spread, runs) = (try #require(fitted.spread), try #require(fitted.runs))
        #expect(capacity.value == runs.value && runs == sure.capacity)
        #expect(fitted.ends.count == 16 && (0.2...0.6).contains(spread))
        func width(_ end: Double?) -> Double {
            end.map { abs(PortableMath.log($0 / capacity.value)) } ?? 0
        }
        let settings = PortableMath.log(1 + spread)
        for (wide, own) in [(capacity.low, runs.low), (capacity.high, runs.high)] {
            let squares = width(own) * width(own) + settings * settings
            #expect(abs(width(wide) * width(wide) - squares) < 1e-9)
        }
        #expect(unsure.document.html.contains("what the fit is not sure of"))
    }

    @Test("A capacity is the same on any number of threads")
    func threads() throws {
        let texts = try [1, 4].map { JSONDocument.text(try answer(seed: 1, threads: $0)) }
        #expect(texts[0] == texts[1])
    }

    @Test("A grid has the same answer as a search, and can be known beforehand")
    func grid() throws {
        let answer = try answer(seed: 3) { options in
            options.grid = [5, 6, 6.5, 7, 7.5, 8]
            options.replicationsMax = 10
        }
        let capacity = try #require(answer.capacity)
        #expect(answer.replications == 60)
        #expect((capacity.value - truth).magnitude < 3 * (capacity.halfWidth ?? 0))
    }
}
