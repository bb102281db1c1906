import SquallProfile
import SquallReport
import Testing

@testable import SquallLab

@Suite("The law of the measurement")
struct MeasurementLawTests {
    private static let loads = [
        #"{"closed": {}}"#, #"{"closed": {"pacing": "40s"}}"#, #"{"closed": {"pacing": "2s"}}"#,
        #"""
        {"closed": {"pacing": "9s", "stages": [{"users": 12, "for": "30s"},
            {"users": 12, "for": "30s"}, {"users": 3, "for": "30s"}, {"users": 10, "for": "20s"}]}}
        """#,
        #"{"closed": {"stages": [{"users": 12, "for": "1m"}, {"users": 2, "for": "1m"}]}}"#,
        #"{"open": {"stages": [{"constant": {"rate": 3, "for": "3m"}}]}}"#,
        #"""
        {"open": {"whenNobodyIsFree": "refuse",
            "stages": [{"constant": {"rate": 3, "for": "3m"}}]}}
        """#,
        #"""
        {"partlyOpen": {"continue": 0.6, "stages": [{"constant": {"rate": 2, "for": "3m"}}]}}
        """#,
    ]

    private static func profile(_ load: String, _ settings: String) throws -> Profile {
        try Profile.read(
            """
            { "schemaVersion": 1, "duration": "2m", "drain": "5s", \(settings)
              "populations": [{ "app": "shareD", "users": 12, "load": \(load),
                "journeys": { "comment": 3, "logOut": 1 }, "thinkTime": "2s",
                "away": "5s", "arriveOver": "20s", "patience": "4s" }],
              "backend": { "server": { "workers": 2, "serviceTime":
                  { "exponential": { "mean": "300ms" } } },
                "tokens": { "accessLifetime": "20s" } } }
            """)
    }

    @Test(
        "Every visit and every step is counted once, in any load and after any warm-up",
        arguments: loads, ["", #""warmUp": {"for": "1m"},"#])
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
        #expect(summary.total(of: .hangs)?.count == steps.givenUp)
    }

    @Test("A run that was stopped keeps the law too", arguments: loads)
    func stopped(load: String) throws {
        let run = LoadRun(
            profile: try Self.profile(load, ""), named: "test", options: .init(replayCommand: ""))
        let summary = try run.run { $0.virtualNanoseconds > 70_000_000_000 ? .stop : .continue }
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
        let error = #expect(throws: MeasurementError.self) { try world.checkMeasurement() }
        let text = try #require(error).description
        #expect(text.contains("every visit begun ended, was given up or is under way: "))
        #expect(text.contains("≠") && error?.label == "measurement.conservation")
    }
}
