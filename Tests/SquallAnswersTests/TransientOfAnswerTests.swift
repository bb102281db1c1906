import SquallFormat
import SquallKernel
@testable import SquallAnswers
@testable import SquallLab
import SquallReport
import Testing

@testable import SquallProof

@Suite("The beginning that a capacity counts")
struct TransientOfAnswerTests {
    /// A world in which a step takes a millisecond for each user, by chance a tenth more or
    /// less, and twice as long in the first so many seconds.
    private func replicator(slowFor seconds: Int) -> Replicator {
        let queue = QueueWorld(workers: 1, meanServiceSeconds: 0.1)
        return Replicator(build: "slow", threads: 1, store: nil) { profile, _, _ in
            var metrics = Metrics()
            let slot = metrics.trend(MetricKey(.stepDuration))
            let chance = RandomStream(seed: profile.seed)
            var begin = 0
            if case .first(let left) = profile.warmUp { begin = Int(left / Span.second) }
            var course = Course()
            for second in 0..<Int(profile.durationNanoseconds / Span.second) {
                let factor = second < seconds ? 2.0 : 1
                let load = profile.plannedSessionsPerSecond ?? Double(profile.users)
                let wait =
                    load * 0.001 * factor
                    * (0.9 + 0.2 * chance.unit(at: UInt64(second)))
                course.tell(from: Double(second), to: Double(second) + wait)
                if second >= begin { metrics.record(Int64(wait * 1e9), in: slot) }
            }
            return queue.result(profile, metrics, 1, course, from: Int64(begin) * Span.second)
        }
    }

    private func answer(
        slowFor seconds: Int, warmUp: String?,
        of load: QueueWorld.Load = .closed(users: 20)
    ) throws -> CapacityAnswer {
        let experiment = try QueueWorld.experiment(
            load, seed: 3, duration: "100s", warmUp: warmUp, threshold: "avg<100ms")
        return try CapacitySearch(
            Variation(
                experiment.profile.plannedSessionsPerSecond == nil ? "users" : "rate",
                of: experiment),
            .standard, replicator(slowFor: seconds)
        ).answer(replay: "")
    }

    @Test("Of stationary beginnings fewer than 5 % are called unsteady")
    func falseAlarms() throws {
        let profile = try QueueWorld.experiment(
            .open(rate: 1), seed: 1, duration: "20s", threshold: "p(95)<1s"
        ).profile
        let result = QueueWorld(workers: 1, meanServiceSeconds: 0.1).run(profile)
        // A first-order autoregression with exponential steps: skew, and remembers ten rows.
        func series(_ chance: RandomStream) -> [Double] {
            var level = 10.0
            return (0..<80).map { row in
                level = 0.9 * level - PortableMath.log(1 - chance.unit(at: UInt64(row)))
                return level
            }
        }
        let trials: UInt64 = 400
        let alarms = (0..<trials).count { trial in
            let replications = (0..<10).map { number -> Replication in
                let chance = RandomStream(seed: trial).stream(number: UInt64(number))
                let drifts = (0..<3).map { index -> Drift in
                    let values = series(chance.stream(number: UInt64(index)))
                    return Drift(
                        series: "s\(index)", early: Array(values.prefix(20)).mean,
                        late: Array(values.suffix(40)).mean)
                }
                return Replication(result, connectionWait: 0, drifts: drifts)
            }
            return Transient(replications) != nil
        }
        // More than 12 would come once in 10 000 times from a rule that is wrong in 1 %.
        #expect(alarms <= 12, "\(alarms) of \(trials)")
    }

    @Test("A search leaves out a beginning of its own where users begin together, and says so")
    func ownWarmUp() throws {
        let answer = try answer(slowFor: 15, warmUp: nil)
        #expect(answer.ownWarmUpNanoseconds == 20 * Span.second)
        #expect(answer.transient == nil)
        #expect((answer.capacity?.value ?? 0) > 98)
        let words = answer.document.remarks.joined()
        #expect(words.contains("left out the first 20s") && words.contains("warmUp.for=0s"))
    }

    @Test("A profile's own warm-up is kept, and a transient that it counts is in the headline")
    func told() throws {
        let answer = try answer(slowFor: 15, warmUp: "0s")
        #expect(answer.ownWarmUpNanoseconds == nil)
        #expect((answer.capacity?.value ?? 100) < 95)
        #expect(answer.sentence.contains("The measured time is not yet steady: "))
        #expect(answer.sentence.contains(" at first and "))
        #expect(answer.sentence.hasSuffix("For the steady state, add --set warmUp.for=10s."))
    }

    @Test("In an open load a transient is reported and left in")
    func arriving() throws {
        let answer = try answer(slowFor: 15, warmUp: nil, of: .open(rate: 20))
        #expect(answer.ownWarmUpNanoseconds == nil && answer.transient != nil)
    }

    @Test("A beginning longer than half of the run asks for a longer one")
    func tooShort() throws {
        let answer = try answer(slowFor: 70, warmUp: nil)
        #expect(answer.ownWarmUpNanoseconds != 100 * Span.second)
        #expect(answer.sentence.contains("add --for 3m20s"))
    }

    @Test("A steady world has neither a warm-up nor a warning")
    func steady() throws {
        let answer = try answer(slowFor: 0, warmUp: nil)
        #expect(answer.ownWarmUpNanoseconds == nil && answer.transient == nil)
    }

    @Test("A capacity of one worker is written in the singular")
    func grammar() throws {
        let answer = CapacityAnswer(
            profile: "p", experiment: "", varied: "backend.server.workers", noun: "workers",
            unit: .count, direction: .moreIsBetter, outcome: .always,
            capacity: ConfidenceInterval(1, low: nil, high: 1), today: 4,
            measurementWindow: "", points: [], contradictions: [], notes: [], precision: 0.02,
            replications: 1, requests: 1, seeds: [], replay: "")
        #expect(
            answer.sentence == "1 worker, the minimum, meets every threshold.")
    }
}
