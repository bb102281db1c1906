import SquallBackend
import SquallFormat
import SquallReport
import Testing

@testable import SquallLab

@Suite("The law of the measurement")
struct MeasurementLawTests {
    private static let loads = [
        #"{"closed": {}}"#, #"{"closed": {"pacing": "15s"}}"#, #"{"closed": {"pacing": "2s"}}"#,
        #"""
        {"closed": {"pacing": "9s", "stages": [{"users": 12, "for": "8s"},
            {"users": 12, "for": "8s"}, {"users": 3, "for": "8s"}, {"users": 10, "for": "20s"}]}}
        """#,
        #"{"closed": {"stages": [{"users": 12, "for": "15s"}, {"users": 2, "for": "15s"}]}}"#,
        #"{"open": {"stages": [{"constant": {"rate": 3, "for": "40s"}}]}}"#,
        #"""
        {"open": {"whenNobodyIsFree": "refuse",
            "stages": [{"constant": {"rate": 3, "for": "40s"}}]}}
        """#,
        #"""
        {"partlyOpen": {"continue": 0.6, "stages": [{"constant": {"rate": 2, "for": "40s"}}]}}
        """#,
    ]

    private static func profile(_ load: String, _ settings: String) throws -> Profile {
        try Profile.read(
            """
            { "schemaVersion": 1, "duration": "40s", "drain": "5s", \(settings)
              "output": { "timeseriesInterval": "20s" },
              "populations": [{ "app": "shareD", "users": 12, "load": \(load),
                "journeys": { "comment": 3, "logOut": 1 }, "thinkTime": "1s",
                "away": "3s", "arriveOver": "10s", "patience": "4s" }],
              "backend": { "server": { "workers": 2, "serviceTime":
                  { "exponential": { "mean": "300ms" } } },
                "tokens": { "accessLifetime": "20s" },
                "content": { "novels": 1, "episodesPerNovelMin": 1, "episodesPerNovelMax": 1,
                  "bookPosts": 0, "giftQuestions": 20, "outfits": 0 } } }
            """)
    }

    @Test(
        "Every visit and every step is counted once, in any load and after any warm-up",
        arguments: loads, ["", #""warmUp": {"for": "15s"},"#])
    func holds(load: String, settings: String) throws {
        let run = LoadRun(
            profile: try Self.profile(load, settings), named: "test",
            options: .init(replayCommand: ""))
        let summary = try run.run { _ in .continue }.summary
        #expect(summary.selfChecks.filter { $0.name.hasPrefix("every visit") }.count == 2)
        #expect(summary.selfChecks.filter { $0.name.hasPrefix("every step") }.count == 2)
        #expect(summary.selfChecks.allSatisfy { $0.ok })
        let row = try #require(summary.load.first)
        let (visits, steps) = (row.visits, row.steps)
        let came = visits.offered + visits.waitingBefore
        #expect(came == visits.begun + visits.waiting + visits.refused && came > 0)
        #expect(steps.begun > 0 && steps.ended == steps.done + steps.failed + steps.idle)
        let counted = try #require(summary.total(of: .steps)?.count)
        #expect(counted == steps.done + steps.failed)
        #expect(summary.total(of: .stepsIdle)?.count == steps.idle)
        #expect(summary.total(of: .hangs)?.count == steps.hung)
    }

    @Test("A run that was stopped keeps the law too", arguments: loads)
    func stopped(load: String) throws {
        let run = LoadRun(
            profile: try Self.profile(load, ""), named: "test", options: .init(replayCommand: ""))
        let summary = try run.run { $0.virtualNanoseconds > 25_000_000_000 ? .stop : .continue }
            .summary
        #expect(summary.verdict == .partial && summary.selfChecks.allSatisfy { $0.ok })
    }

    @Test("A measurement that loses count ends the run, and says which sums differ")
    func violated() throws {
        let world = World(WorldPlan(try Self.profile(Self.loads[0], "")))
        try world.run(for: .seconds(60))
        try world.checkMeasurement()
        world.recorder.visitOffered(in: 0)
        world.recorder.visitBegan(user: 0, lateByNanoseconds: nil)
        let error = #expect(throws: ConservationError.self) { try world.checkMeasurement() }
        let text = try #require(error).description
        #expect(text.contains("every visit begun ended, was abandoned or is under way: "))
        #expect(text.contains("≠") && error?.label == "measurement.conservation")
    }
}
