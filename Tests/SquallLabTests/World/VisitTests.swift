import SquallApps
import SquallReport
import Testing

@testable import SquallLab

@Suite("How a visit begins, and what it comes to")
struct VisitTests {
    @Test("Splash leads to the main screen at once: no token expires on the way")
    func splashLeadsOn() throws {
        // People think for ten seconds; a token lives for seven.
        let test = try TestWorld(
            journeys: #"{"read": 1}"#, backend: #"{"tokens": {"accessLifetime": "7s"}}"#)
        #expect(test.count(.steps, [.step: "main"]) > 20)
        #expect(test.refreshes(each: "main").whole == 0)
        #expect(test.refreshes(each: "novel").whole > 20)
    }

    @Test("Behind the sign-in screen the app does not start again: its first screen comes at once")
    func signInLeadsOn() throws {
        let steps = try Self.steps(
            of: "scrolly", journeys: ["read": 1], seed: 1, startsSignedIn: false)
        let first = try #require(steps[0])
        #expect(first.map(\.name).prefix(2) == ["sign-in · signIn", "read · main"])
        #expect(first[0].span.upperBound == first[1].span.lowerBound)
        // The next visit begins with Splash.
        #expect(first.contains { $0.name == "read · launch" })
    }

    @Test("A sign-in of Share.D leads home, also where the visit would not begin there")
    func signInHome() throws {
        let steps = try Self.steps(
            of: "shareD", journeys: ["settings": 1], seed: 1, startsSignedIn: false)
        let first = try #require(steps[0]).map(\.name)
        #expect(first.prefix(2) == ["sign-in · signIn", "settings · home"])
        #expect(first.count { $0 == "settings · home" } == 1)
    }

    static let goals = AppRegistry.all.flatMap { app in
        app.journeys.filter { $0.goal != nil }.map { (app.name, $0) }
    }

    @Test("Every deed is a step of its journey")
    func named() {
        for (app, journey) in Self.goals {
            #expect(
                journey.steps.contains { $0.name == journey.goal?.step }, "\(app) \(journey.name)")
        }
        #expect(Self.goals.count > 25)
    }

    @Test(
        "The goal of a journey can be reached with the content there before the run",
        arguments: AppRegistry.all.map(\.name), [1, 11])
    func possible(app: String, seed: Int) throws {
        let journeys = Self.goals.filter { $0.0 == app }.map(\.1)
        let steps = try Self.steps(
            of: app,
            journeys: Dictionary(uniqueKeysWithValues: journeys.map { ($0.name, 1) }), seed: seed)
        for journey in journeys {
            guard let goal = journey.goal else { continue }
            let name = "\(journey.name) · \(goal.step)"
            let ends = steps.values.joined().filter { $0.name == name }.map(\.outcome)
            let good = goal.isPayment ? ["charged"] : ["rendered", "charged", "stale", "wrong"]
            #expect(
                ends.contains { end in good.contains { end.hasPrefix($0) } },
                "\(journey.name): \(ends.prefix(5))")
        }
    }

    /// What two dozen people did in five minutes on an app's journeys, step by step, by user.
    private static func steps(
        of app: String, journeys: [String: Int], seed: Int, startsSignedIn: Bool = true
    ) throws -> [Int64: [CallTrace.Step]] {
        let weights = journeys.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \($0.value)" }
        let text = """
            { "schemaVersion": 1, "seed": \(seed), "duration": "5m",
              "populations": [{ "app": "\(app)", "users": 24, "thinkTime": "2s", "away": "5s",
                "startsSignedIn": \(startsSignedIn),
                "journeys": {\(weights.joined(separator: ","))} }],
              "backend": {"generation": "both", "catalogue": {"items": 1000}} }
            """
        let profile = try Profile.read(Array(text.utf8), file: "test", vocabulary: .installed)
        let result = try LoadRun(
            profile: profile, named: "test",
            options: LoadRun.Options(replayCommand: "", trace: TraceSelection("app:\(app)"))
        ).run { _ in .continue }
        return try #require(result.trace).steps
    }
}
