import SquallApps
import SquallFormat
import SquallKernel
import SquallReport
import SquallServices
import Testing

@testable import SquallLab

@Suite("Runs that reach no goal")
struct GoalTests {
    @Test(
        "A journey whose deed never happened fails the run, with its reason and a way out",
        arguments: [
            ("thisBookThatBook", "buy", "pay", #""content": {"bookPosts": 0}"#, "nothing to do"),
            ("thisBookThatBook", "search", "hit", #""content": {"bookPosts": 0}"#, "nothing"),
            ("shareD", "buy", "pay", #""payments": {"cancelProbability": 1}"#, "failed"),
        ])
    func missed(app: String, journey: String, step: String, backend: String, end: String) throws {
        let summary = try Self.summary(app, "{\"\(journey)\": 1}", backend)
        #expect(summary.verdict == .failed)
        let fatal = summary.findings.filter(\.failsRun)
        let finding = try #require(fatal.first)
        #expect(fatal.count == 1 && finding.label == "goal.missed")
        for part in ["\"\(journey)\" of \"people\" began", "\"\(step)\" never", end, "leave"] {
            #expect(finding.detail.contains(part), "\(finding.detail)")
        }
        let text = TextSummary(summary, style: TerminalStyle(isOn: false)).text
        #expect(text.hasPrefix("FAILED") && text.contains("✗ \(finding.headline)"))
        #expect(Self.goals(summary, of: journey) == 0)
    }

    @Test(
        "A journey that comes to its deed is no finding, and thresholds can ask for more",
        arguments: [
            ("thisBookThatBook", "buy"), ("thisBookThatBook", "search"), ("shareD", "buy"),
            ("scrolly", "buy"), ("scrolly", "comment"), ("ootd", "publish"),
        ])
    func done(app: String, journey: String) throws {
        let metric = "journey_goals{journey:\(journey)}"
        let summary = try Self.summary(
            app, "{\"\(journey)\": 1}", thresholds: #"{"\#(metric)": ["count>3", "count>99999"]}"#)
        #expect(!summary.findings.contains { $0.failsRun })
        #expect(summary.thresholds.map(\.ok) == [true, false])
        let begun = summary.journeys.first?.begun ?? 0
        #expect(Self.goals(summary, of: journey) <= begun)
    }

    @Test("Only journeys that have ended say that they came to nothing, and ten of them at least")
    func tooFew() throws {
        let nothing = #""content": {"bookPosts": 0}"#
        let small = try Self.summary("thisBookThatBook", #"{"buy": 1}"#, nothing, users: 1)
        let short = try Self.summary(
            "thisBookThatBook", #"{"buy": 1}"#, nothing, duration: "3s")
        #expect(
            (1..<10).contains(small.journeys[0].begun) && !small.findings.contains { $0.failsRun })
        #expect(short.journeys[0].begun >= 10 && !short.findings.contains { $0.failsRun })
    }

    @Test("A deed counts once for each journey, and a journey of the warm-up neither way")
    func counted() {
        let recorder = Recorder(.ofBuyers)
        recorder.journeyBegan(user: 0, journey: 0)
        recorder.restart()
        recorder.journeyEnded(user: 0)
        for _ in 0..<GoalTally.enough {
            #expect(!recorder.goals[0].isMissed)
            recorder.visit(ending: .rendered)
        }
        #expect(recorder.goals[0].isMissed && recorder.goals[0].failed == GoalTally.enough)
        recorder.visit(ending: .charged, .charged)
        #expect(!recorder.goals[0].isMissed && recorder.goals[0].begun == GoalTally.enough + 1)
        let goals = MetricKey(.journeyGoals, [.app: "a", .design: "d", .journey: "buy"])
        #expect(recorder.metrics.value(of: goals) == .counter(EventCount(all: 1, underLoad: 1)))
    }

    @Test("Money that moves while a user is on no journey with a goal reaches no goal")
    func outsideOfVisits() {
        let recorder = Recorder(.ofBuyers)
        recorder.paymentPageClosed(on: 1, .paidWithoutReceipt)
        #expect(recorder.goals[0].begun == 0 && !recorder.goals[0].isMissed)
        #expect(
            recorder.metrics.value(
                of: MetricKey(.journeyGoals, [.app: "a", .design: "d", .journey: "buy"]))
                == .counter(EventCount(all: 0, underLoad: 0)))
    }

    @Test(
        "A profile that asks about expiry fails when no token expired",
        arguments: [
            (#"{"refreshes": ["count<1000"]}"#, "6h", ["expiry.missed"]),
            (#"{"refreshes_per_expiry": ["value<=9"]}"#, "6h", ["expiry.missed"]),
            (#"{"refreshes_per_expiry": ["value<=9"]}"#, "20s", []),
            (#"{"refreshes": ["count==0"], "sessions_lost": ["count==0"]}"#, "6h", []),
        ])
    func expiry(thresholds: String, lifetime: String, labels: [String]) throws {
        let summary = try Self.summary(
            "shareD", #"{"community": 1}"#, #""tokens": {"accessLifetime": "\#(lifetime)"}"#,
            thresholds: thresholds)
        let fatal = summary.findings.filter(\.failsRun)
        #expect(fatal.map(\.label) == labels)
        #expect((summary.verdict == .failed) == !labels.isEmpty)
        #expect(fatal.allSatisfy { $0.detail.contains("accessLifetime") })
    }

    @Test(
        "A fault that expires tokens nobody uses asks in vain, and one that strikes them does not",
        arguments: [("join", true), ("resume", false)])
    func expiringFault(journey: String, isMissed: Bool) throws {
        let backend = #""faults": [{"kind": "expireAllTokens", "at": "1m"}]"#
        let summary = try Self.summary("ootd", "{\"\(journey)\": 1}", backend)
        #expect(summary.findings.contains { $0.label == "expiry.missed" } == isMissed)
    }

    private static func goals(_ summary: RunSummary, of journey: String) -> Int64 {
        summary.series(of: .journeyGoals).filter { $0.tags[.journey] == journey }
            .reduce(0) { $0 + ($1.count ?? 0) }
    }

    /// What a dozen people of an app came to in two minutes.
    private static func summary(
        _ app: String, _ journeys: String, _ backend: String = #""tokens": {}"#, users: Int = 12,
        duration: String = "2m", thresholds: String = "{}"
    ) throws -> RunSummary {
        let text = """
            { "schemaVersion": 1, "duration": "\(duration)",
              "populations": [{ "name": "people", "app": "\(app)", "users": \(users),
                "journeys": \(journeys), "thinkTime": "2s", "away": "20s", "arriveOver": "2s" }],
              "backend": {\(backend), "generation": "both"}, "thresholds": \(thresholds) }
            """
        let options = LoadRun.Options(replayCommand: "")
        return try LoadRun(profile: Profile.read(text), named: "test", options: options)
            .run { _ in .continue }.summary
    }
}

extension MeasuredRun {
    /// Two people who look at something and may buy it.
    fileprivate static var ofBuyers: MeasuredRun {
        let buy = JourneyDescription(
            "buy", steps: ["look", "pay"], goal: Goal("pay", booking: "book"))
        return MeasuredRun(
            simulation: Simulation(),
            populations: [
                MeasuredPopulation(
                    name: "buyers", app: "a", design: "d", users: 0..<2, journeys: [buy])
            ],
            intervals: Intervals(timelineNanoseconds: 1_000_000_000, durationNanoseconds: 1))
    }
}

extension Recorder {
    /// A visit of the first person, whose every payment ends in one of these ways.
    fileprivate func visit(ending outcomes: StepOutcome...) {
        let timer = run.simulation.schedule(
            run.simulation.register { _ in }, argument: 0, at: .start)
        let step = RunningStep(
            startedAt: .start, intendedAt: 0, patience: timer, isSignIn: false, leadsOn: false)
        journeyBegan(user: 0, journey: 0)
        for outcome in outcomes {
            stepBegan(user: 0, ordinal: 0, step: .step(1, ofJourney: 0))
            stepEnded(user: 0, ordinal: 0, step: step, outcome: outcome)
        }
        journeyEnded(user: 0)
    }
}
