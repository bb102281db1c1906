import SquallKernel
import SquallProfile
import Testing

@testable import SquallLab

@Suite("The end of a world")
struct TeardownTests {
    @Test(
        "Nothing of a world is left where refreshes fail: not of who goes round, waits for itself",
        arguments: [
            ("scrolly", "plain", "browse", 3), ("scrolly", "plain", "browse", 80),
            ("specimen", "ownInterceptor", "visit", 3), ("specimen", "endless", "visit", 3),
            ("specimen", "forgetsWaiters", "visit", 3),
        ])
    func nothingIsLeft(app: String, design: String, journey: String, users: Int) throws {
        let design = app == "specimen" ? "\"design\": \"\(design)\"," : ""
        let text = """
            { "schemaVersion": 1, "duration": "1m",
              "populations": [{ "app": "\(app)", \(design) "users": \(users),
                "journeys": {"\(journey)": 1}, "initialTokens": "expired" }],
              "backend": { "generation": "both", "faults": [
                { "kind": "serverError", "at": "0s", "status": 419, "endpoints": ["refresh"] }] } }
            """
        let profile = try Profile.read(Array(text.utf8), file: "test", vocabulary: .installed)
        weak var recorder: Recorder?
        weak var simulation: Simulation?
        do {
            let world = World(profile, strictness: .tolerant)
            (recorder, simulation) = (world.recorder, world.simulation)
            try world.run(for: .seconds(60))
            world.drain()
            try world.run(for: .seconds(1))
            #expect(world.attemptsSent > 0)
            world.tearDown()
        }
        #expect(recorder == nil && simulation == nil)
    }
}
