import SquallFormat
import SquallReport
import Testing

@testable import SquallAnswers
@testable import SquallLab
@testable import SquallProof

@Suite("Comparison")
struct ComparisonTests {
    private func side(
        _ name: String, rate: Double, seed: UInt64 = 1, count: Int = 8
    ) throws -> ComparisonSide {
        let experiment = try QueueWorld.experiment(
            .open(rate: rate), seed: seed, duration: "100s", threshold: "p(95)<1s")
        let replicator = QueueWorld(workers: 1, meanServiceSeconds: 0.1).replicator()
        let tasks = try (0..<count).map { try replicator.task(experiment.profile, number: $0) }
        return ComparisonSide(name, try replicator.replications(of: tasks))
    }

    @Test("A higher load is told apart, with its direction")
    func difference() throws {
        let answer = ComparisonAnswer(
            try side("A", rate: 5), try side("B", rate: 6),
            gates: [try ComparisonGate("p95 worse"), try ComparisonGate("p95 better")], replay: "")
        let p95 = try #require(answer.differences.first { $0.name == "step_duration p(95)" })
        #expect(p95.isDistinct && p95.isBetter == false)
        #expect(answer.gates.map(\.holds) == [false, true])
        #expect(!answer.hasPassed)
    }

    @Test("A design beside itself makes no difference")
    func same() throws {
        let a = try side("A", rate: 5)
        let answer = ComparisonAnswer(
            a, a, gates: [try ComparisonGate("p99 different")], replay: "")
        #expect(answer.differences.allSatisfy { !$0.isDistinct })
        #expect(answer.hasPassed)
    }

    @Test(
        "A figure is named as in a threshold or in short, and one that no run has is refused",
        arguments: [
            ("p95", "step_duration p(95)"), ("step_duration:p(95)", "step_duration p(95)"),
            ("refresh_rate:max", "refresh_rate max"), ("server_busy", "server_busy"),
            ("hangs count", "hangs count"), ("recovery ok", "recovery ok"),
            ("refresh_rte:max", nil), ("step_duration p(97)", nil), ("hangs rat", nil),
            ("steps{step:main} count", nil), ("request_duration", nil), ("", nil),
        ])
    func figures(name: String, full: String?) throws {
        guard let full else {
            #expect(throws: PlanningProblem.self) { try Figure.name(of: name, for: "--figure") }
            return
        }
        #expect(try Figure.name(of: name, for: "--figure") == full)
    }

    @Test(
        "A name that no run has is told as such, and what is wrong with a tag is told instead",
        arguments: [("refresh_rte:max", true), ("steps{colour:red} count", false)])
    func unknownFigure(name: String, isUnknown: Bool) throws {
        let problem = #expect(throws: PlanningProblem.self) {
            try Figure.name(of: name, for: "--figure")
        }
        #expect("\(try #require(problem))".contains("there is no such figure") == isUnknown)
    }

    @Test("A count is written whole, a mean of counts with three digits below a thousand")
    func counts() {
        let texts = [12, 12.5, 999.25, 1_234.6].map(NumberUnit.count.text)
        #expect(texts == ["12", "12.5", "999", "1 235"])
    }

    @Test("A gate with a share fails only when the whole interval is beyond it")
    func share() throws {
        let answer = ComparisonAnswer(
            try side("A", rate: 5), try side("B", rate: 5.2),
            gates: [try ComparisonGate("mean worse"), try ComparisonGate("mean worse by 50%")],
            replay: "")
        #expect(answer.gates.map(\.holds) == [false, true])
    }

    @Test(
        "Of each figure less is better, or more, or neither",
        arguments: [
            ("steps rate", false), ("steps{app:a} count", false), ("users_active max", nil),
            ("recovery time", true), ("recovery share", false), ("step_duration p(95)", true),
            ("step_duration count", nil), ("connection_wait count", nil),
            ("start_delay count", nil), ("connection_wait max", true), ("hangs count", true),
            ("items_per_second avg", false), ("visits count", nil), ("naps_taken count", nil),
        ] as [(String, Bool?)])
    func directions(figure: String, lessIsBetter: Bool?) {
        #expect(KeyMetrics.lessIsBetter(figure) == lessIsBetter)
    }

    @Test(
        "A gate that says nothing is refused",
        arguments: [
            "p99", "worse", "p99 worse by 3", "p99 worse by more than 3%", "p99 worse by about 3%",
            "p99 worse by 3% or", "by 3%", "p99 worse by -3%",
        ])
    func refused(text: String) throws {
        let problem = #expect(throws: PlanningProblem.self) { try ComparisonGate(text) }
        let isOfShare = text.contains("by ") && !text.hasPrefix("by")
        let words = try #require(problem).description
        #expect(words.contains(isOfShare ? "takes a percentage" : "must be a figure and worse"))
    }

    @Test("Equal designs on seeds of their own are told apart in less than 8 of 100 tables")
    func coverage() throws {
        let queue = QueueWorld(workers: 1, meanServiceSeconds: 0.1)
        let replicator = queue.replicator()
        var profile = try QueueWorld.experiment(
            .open(rate: 5), seed: 1, duration: "15s", threshold: "p(95)<1s"
        ).profile
        let wrong = try (1...100).count { number in
            let sides = try [UInt64(0), 1].map { side in
                profile.seed = UInt64(2 * number) + side
                return try replicator.replications(
                    of: (0..<5).map { try replicator.task(profile, number: $0) })
            }
            return !ComparisonAnswer.isSilent(sides[0], sides[1])
        }
        #expect(wrong <= 7)
    }
}
