import SquallApps
import SquallKernel
@testable import SquallAnswers
@testable import SquallLab
import Testing

@testable import SquallRaces

@Suite("Phones whose clocks are set")
struct PhoneClockLawTests {
    static let apps = ["scrolly", "shareD", "thisBookThatBook"]

    /// A user whose clock is set at a moment of a journey.
    static func scenario(
        _ app: String, _ retries: String, _ ahead: String, at moment: String
    ) throws -> RaceScenario {
        let journey = try #require(AppRegistry.app(named: app)?.journeys.first?.name)
        let text = """
            {"schemaVersion": 1, "populations": [{"app": "\(app)", "journeys": {"\(journey)": 1},
              "retries": "\(retries)", "users": 1}],
             "explore": {"acts": [{"do": "journey", "what": "\(journey)"},
               {"do": "clock", "what": "\(ahead)", "at": "\(moment)"}]}}
            """
        let profile = try Profile.read(
            Array(text.utf8), file: "clock", vocabulary: .installed, overrides: [])
        return try RaceScenario(
            profile, source: SavedScenario(profile: "clock", text: text, overrides: []))
    }

    @Test(
        "A journey is played to its end, whenever and however far the clock is set",
        arguments: apps, ["1ns", "-1ns", "1h", "-1h", "36500d", "-36500d"])
    func journeys(app: String, ahead: String) throws {
        for moment in ["0s", "150ms", "2s"] {
            let scenario = try Self.scenario(app, "adaptive", ahead, at: moment)
            let played = try scenario.play(
                Schedule(FirstInFirstOut(), windowNanoseconds: 0, keepsHistory: true))
            #expect(played.history?.events.isEmpty == false)
        }
    }

    @Test("An adaptive client's drill of a clock that is set back is judged")
    func drill() throws {
        let text = """
            {"schemaVersion": 1,
             "populations": [{"journeys": {"read": 1}, "retries": "adaptive", "users": 4}]}
            """
        let profile = try Profile.read(
            Array(text.utf8), file: "adaptive", vocabulary: .installed, overrides: [])
        var experiment = DrillOptions()
        experiment.drills = [.clockSetBack, .clockBehind, .clockAhead]
        experiment.schedules = 1
        for client in AppUnderTest.all(of: profile, source: "adaptive", program: "squall") {
            #expect(try experiment.run(on: client).cells.allSatisfy { $0.passes })
        }
    }

    @Test("A clock is set by a century at the most", arguments: ["36601d", "-292y", "106751d"])
    func refused(ahead: String) {
        #expect(throws: InvalidProfile.self) {
            try Self.scenario("scrolly", "none", ahead, at: "0s")
        }
    }
}
