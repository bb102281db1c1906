import SquallBackend
import SquallFormat
import SquallLab
import SquallReport
import Testing

@testable import SquallPlanning
@testable import SquallProof

@Suite("Which way a capacity is")
struct CapacityDirectionTests {
    /// M/M/c whose number of workers is the profile's, with so many arrivals a second.
    private func answer(
        _ threshold: String, varying name: String = "backend.server.workers", rate: Double = 25,
        _ change: (inout CapacityOptions) -> Void = { _ in }
    ) throws -> CapacityAnswer {
        let question = try QueueWorld.question(
            .open(rate: rate), seed: 5, duration: "200s", warmUp: "20s", threshold: threshold
        )
        let isRate = name == "rate"
        let replicator = Replicator(build: "queue", threads: 2, store: nil) { profile, _, _ in
            QueueWorld(
                workers: isRate ? 4 : Int(profile.backend.server.workers), meanServiceSeconds: 0.1
            )
            .run(profile)
        }
        var options = CapacityOptions.standard
        options.replicationsMax = 12
        change(&options)
        return try CapacitySearch(Variation(name, of: question), options, replicator)
            .answer(replay: "")
    }

    /// P(T > 0.45 s) at 25/s is 0.018 of M/M/4 and 0.143 of M/M/3.
    @Test(
        "Of workers the least number that is enough is found, with its neighbour",
        arguments: [1, 400])
    func workers(from start: Double) throws {
        let answer = try answer("p(95)<=450ms") { $0.from = start }
        #expect(answer.direction == .moreIsBetter)
        #expect(answer.capacity?.value == 4)
        #expect(answer.neighbour == CapacityAnswer.Neighbour(value: 3, isSure: true))
        #expect(answer.sentence.hasPrefix("4 workers are enough, 3 are not: with 3 the p95 wait"))
        #expect(!answer.sentence.contains("step_duration"))
    }

    @Test("A rate is asked for with five digits, workers in whole numbers")
    func rounding() throws {
        let question = try QueueWorld.question(
            .open(rate: 3), seed: 1, duration: "100s", threshold: "p(95)<1s")
        let rate = try Variation("rate", of: question)
        let asked = [123_456.7, 9.876_543, 0.012_345_6, 99_999.6, 12_345].map(rate.rounded)
        #expect(asked == [123_460, 9.876_5, 0.012_346, 100_000, 12_345])
        let workers = try Variation("backend.server.workers", of: question)
        #expect([3.4, 3.6, 123_456.7].map(workers.rounded) == [3, 4, 123_457])
    }

    @Test("A limit from below makes a span of what a limit from above ends, and today's load holds")
    func span() throws {
        // More than 11.1/s for 180 s, and what M/M/4 bears with a p95 of 600 ms.
        let answer = try answer(#"count>2000", "p(95)<=600ms"#, varying: "rate", rate: 20) {
            $0.surveys = true
        }
        #expect(answer.direction == .neither && answer.isEnough != false)
        #expect(answer.otherEnd?.contains(2_000 / 180) == true)
        #expect(answer.otherBinding == "step_duration: count>2000")
        #expect(answer.binding == "step_duration: p(95)<=600ms")
        #expect(answer.sentence.hasPrefix("From 11"), "\(answer.sentence)")
        #expect(answer.sentence.contains("sessions/s every threshold holds, below that"))
    }

    @Test("Where today's load brings no sample, so that no excess is known, a larger one is tried")
    func noSample() throws {
        // A session is to come in 180 s: 0.4 are expected, and 1.4 of four times the load.
        let answer = try answer("count>0", varying: "rate", rate: 0.002)
        #expect(answer.sentence.hasPrefix("From 0.0"), "\(answer.sentence)")
    }

    @Test("Looks at both ends tell the direction by verdicts first, and then by the excess")
    func looks() {
        typealias Look = CapacityDirection.Look
        func of(_ low: Look, _ today: Look, _ high: Look) -> CapacityDirection? {
            CapacityDirection(smaller: low, today: today, larger: high)
        }
        let (good, bad) = (Look(holds: true, excess: -1), Look(holds: false, excess: 1))
        #expect(of(good, good, bad) == .moreIsWorse && of(good, bad, bad) == .moreIsWorse)
        #expect(of(bad, good, good) == .moreIsBetter && of(bad, bad, good) == .moreIsBetter)
        #expect(of(bad, good, bad) == .neither)
        #expect(of(good, good, Look(holds: true, excess: -2)) == .moreIsBetter)
        #expect(of(bad, bad, Look(holds: false, excess: 3)) == .moreIsWorse)
        #expect(of(good, good, good) == nil)
    }

    @Test(
        "A threshold is denied in words",
        arguments: [
            ("step_duration: p(95)<2s", "the p95 wait for a step is not below 2s"),
            ("step_failed: rate<=1%", "the share of failed steps is not at most 1%"),
            ("hangs: count==0", "the number of steps that never ended is not exactly 0"),
            ("steps: rate>5", "the number of steps that ended per second is not above 5"),
            (
                "request_duration{class:read}: p(95)<1s",
                "the p95 time of an attempt of class read is not below 1s"
            ),
        ])
    func words(threshold: String, clause: String) {
        #expect(threshold.whenBroken == clause)
    }
}
