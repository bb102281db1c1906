import SquallFormat
import SquallKernel
@testable import SquallAnswers
import SquallReport
import Testing

@testable import SquallProof

/// What a search may try, and what its headline may claim, in worlds that are a law.
@Suite("The bounds of a search")
struct CapacityBoundsTests {
    private static let workers = "backend.server.workers"

    private func answer(
        _ varied: String, _ change: (inout CapacityOptions) -> Void,
        law: @escaping @Sendable (_ value: Double, _ number: Int) -> LawWorld.Finding
    ) throws -> CapacityAnswer {
        let experiment = try QueueWorld.experiment(
            .open(rate: 3), seed: 1, duration: "10s", threshold: "p(95)<1s")
        var options = CapacityOptions.standard
        options.replicationsMax = 20
        change(&options)
        return try CapacitySearch(
            Variation(varied, of: experiment), options, LawWorld(law).replicator(varying: varied)
        ).answer(replay: "")
    }

    /// A share that grows with the square of a load and is a twentieth at the capacity, by chance a
    /// few hundredths more or less.
    private static func slow(_ ratio: Double, _ number: Int) -> LawWorld.Finding {
        let chance = RandomStream(seed: 7).unit(at: UInt64(number)) - 0.5
        return .init(slow: min(1, 0.05 * ratio * ratio * (1 + 0.3 * chance)))
    }

    @Test("Five workers are enough from any start", arguments: [1.0, 6, 20, 60, 300, 9_000])
    func start(from: Double) throws {
        let answer = try answer(
            Self.workers, { ($0.from, $0.direction) = (from, .moreIsBetter) }
        ) { value, number in
            Self.slow(4.6 / value, number)
        }
        #expect(answer.capacity?.value == 5)
        #expect(answer.neighbour?.value == 4 && answer.contradictions == [])
    }

    @Test("Nothing above the largest value is run, and nothing below the first that holds")
    func limits() throws {
        let answer = try answer("rate", { ($0.from, $0.to) = (10, 50) }) { value, number in
            Self.slow(value / 900, number)
        }
        let values = answer.points.map(\.value)
        #expect(values.min() == 10 && values.max() == 50 && answer.outcome == .always)
        #expect(
            answer.contradictions == []
                && answer.sentence.contains(
                    "50 sessions/s meet every threshold; no larger value was tried: raise --to.")
        )
    }

    @Test("While it runs, its page has the bounds so far and every value that was run")
    func soFar() throws {
        let experiment = try QueueWorld.experiment(
            .open(rate: 3), seed: 1, duration: "10s", threshold: "p(95)<1s")
        var options = CapacityOptions.standard
        (options.from, options.to, options.replicationsMax) = (10, 2_000, 20)
        let law = LawWorld { value, number in Self.slow(value / 900, number) }
        let replicator = law.replicator(varying: "rate")
        let search = try CapacitySearch(Variation("rate", of: experiment), options, replicator)
        var sentences: [String] = []
        replicator.meanwhile = { sentences.append(search.documentSoFar.sentence) }
        let answer = try search.answer(replay: "")
        #expect(sentences.first == "The first value is being run.")
        #expect(sentences.last?.hasPrefix("So far, of sessions/s: ") == true)
        #expect(sentences.last?.contains(" do not (") == true)
        let page = search.documentSoFar.page().html
        #expect(answer.points.count > 3)
        for point in answer.points { #expect(page.contains("\(answer.text(point.value))<")) }
    }

    @Test("A crossing near the largest value does not go beyond it")
    func crossing() throws {
        let answer = try answer("rate", { $0.to = 7.1 }) { value, number in
            Self.slow(value / 7, number)
        }
        #expect(answer.points.allSatisfy { $0.value <= 7.1 } && answer.capacity != nil)
    }

    @Test("The headline names a load that the table shows to hold, with none below it that fails")
    func headline() throws {
        let answer = try answer("rate", { _ in }) { value, number in
            Self.slow(value / 7, number)
        }
        let (shown, capacity) = (try #require(answer.shown), try #require(answer.capacity))
        #expect(shown <= capacity.low ?? 0)
        let point = try #require(answer.points.first { $0.value == shown })
        #expect(point.holds && point.replications >= 4)
        #expect(answer.points.allSatisfy { $0.value > shown || $0.holds })
        #expect(answer.sentence.contains(" shown to meet every threshold; capacity is about"))
    }

    @Test("A search does not begin runs of millions of requests without being asked")
    func cost() throws {
        let experiment = try QueueWorld.experiment(
            .open(rate: 3), seed: 1, duration: "10s", threshold: "p(95)<1s")
        let world = LawWorld(requestsForEach: 90_000) { _, _ in .init() }
        let replicator = world.replicator(varying: "rate")
        let answer = try CapacitySearch(Variation("rate", of: experiment), .standard, replicator)
            .answer(replay: "")
        #expect(answer.outcome == .always && answer.points.map(\.value).max() ?? 99 <= 11)
        let note = try #require(answer.notTried)
        #expect(
            note.hasPrefix("one run with ") && answer.sentence.hasSuffix("was tried."))
        let typed = try #require(note.split(separator: "--to ").last?.split(separator: " ").first)
        #expect(Double(typed) != nil, "\(note)")
    }

    @Test("All replications are counted, those of the search's first steps too")
    func counts() throws {
        let answer = try answer("rate", { _ in }) { value, number in
            Self.slow(value / 7, number)
        }
        #expect(answer.replications == answer.points.reduce(0) { $0 + Int64($1.replications) })
    }
}
