import SquallFormat
import SquallReport
import Testing

@testable import SquallLab

@Suite("Random numbers of paired populations")
struct SameUsersTests {
    private static func summary(_ populations: [String]) throws -> RunSummary {
        let text = """
            { "schemaVersion": 1, "duration": "4m",
              "populations": [\(populations.joined(separator: ","))],
              "output": { "timeseriesInterval": "30s" },
              "backend": { "generation": "both",
                "tokens": { "accessLifetime": "40s", "lifetimeJitter": "5s" },
                "content": { "novels": 4, "episodesPerNovelMin": 2, "episodesPerNovelMax": 4,
                  "bookPosts": 0, "giftQuestions": 40, "outfits": 20 },
                "network": { "requestLossProbability": 0.01 },
                "faults": [{ "kind": "serverError", "at": "1m", "for": "1m", "status": 500,
                  "probability": 0.1, "users": 0.5 }],
                "server": { "workers": 5000,
                  "serviceTime": { "exponential": { "mean": "20ms" } } } } }
            """
        return try LoadRun(
            profile: try Profile.read(text), named: "test", options: .init(replayCommand: "")
        ).run { _ in .continue }.summary
    }

    private static func population(
        _ name: String, app: String, users: Int, journey: String, _ more: String = ""
    ) -> String {
        """
        { "name": "\(name)", "app": "\(app)", "users": \(users), "journeys": { "\(journey)": 1 },
          "thinkTime": { "exponential": { "mean": "4s" } }, "arriveOver": "20s",
          "away": { "exponential": { "mean": "10s" } }\(more) }
        """
    }

    private static let readers = population("readers", app: "scrolly", users: 12, journey: "resume")

    @Test("A population before another changes no byte of that other's results", arguments: [1, 7])
    func independence(others: Int) throws {
        let alone = try Self.summary([Self.readers])
        let both = try Self.summary([
            Self.population("dressers", app: "ootd", users: others, journey: "scroll"),
            Self.readers,
        ])
        let row = try #require(alone.populations.first)
        #expect(row.attempts > 200 && row.promptedRefreshes > 10)
        let (steps, endpoints) = (both.steps, both.endpoints)
        func text(_ rows: some Encodable) -> String { JSONDocument.text(rows) }
        #expect(text(row) == text(both.populations[1]) && text(alone.load[0]) == text(both.load[1]))
        #expect(text(alone.steps) == text(steps.filter { $0.app == "scrolly" }))
        #expect(text(alone.endpoints) == text(endpoints.filter { $0.app == "scrolly" }))
    }

    @Test("Two populations of the same people and design go through the same, call by call")
    func twins() throws {
        let summary = try Self.summary([
            Self.readers,
            Self.population(
                "twins", app: "scrolly", users: 12, journey: "resume", #", "habitsOf": "readers""#),
        ])
        let pair = try #require(summary.pairs.first)
        #expect(pair.users == 12 && pair.population == "twins" && pair.comparedWith == "readers")
        #expect(pair.differences.allSatisfy { $0.mean == 0 && $0.halfWidth == 0 })
        #expect(summary.populations[0].attempts == summary.populations[1].attempts)
    }

    @Test("Paired users on another design differ less than other users do")
    func paired() throws {
        let reference = { (more: String) in
            Self.population(
                "reference", app: "scrolly", users: 12, journey: "resume",
                #", "design": "reference""# + more)
        }
        let summary = try Self.summary([
            Self.readers, reference(#", "habitsOf": "readers""#),
        ])
        let pair = try #require(summary.pairs.first)
        let refreshes = try #require(pair.differences.first { $0.quantity == .refreshes })
        let fewer =
            summary.populations[1].promptedRefreshes + summary.populations[1].unpromptedRefreshes
            - summary.populations[0].promptedRefreshes - summary.populations[0].unpromptedRefreshes
        #expect(refreshes.mean == Double(fewer) / 12 && refreshes.mean < 0)
        #expect(summary.load[0].visits.begun > 12)
        #expect(abs(summary.load[0].visits.begun - summary.load[1].visits.begun) <= 2)
    }

    @Test(
        "Habits can be shared with a population that is there and has the same ones",
        arguments: [
            (#""habitsOf": "nobody""#, "is no other population"),
            (#""habitsOf": "b""#, "is no other population"),
            (#""habitsOf": "a", "thinkTime": "1s""#, "need the same thinkTime"),
            (#""habitsOf": "a", "users": 8"#, "need the same users"),
        ])
    func problems(settings: String, message: String) {
        let text = """
            { "schemaVersion": 1, "populations": [
              { "name": "a", "users": 9, "journeys": { "read": 1 } },
              { "name": "b", \(settings.contains("users") ? "" : #""users": 9,"#)
                "journeys": { "read": 1 }, \(settings) }] }
            """
        let error = #expect(throws: InvalidProfile.self) { try Profile.read(text) }
        #expect(error?.problems.contains { $0.message.contains(message) } == true)
    }
}
