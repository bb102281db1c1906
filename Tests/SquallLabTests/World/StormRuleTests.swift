import SquallFormat
import SquallReport
import Testing

@testable import SquallLab

@Suite("Storms and loops as the wire shows them")
struct StormRuleTests {
    /// The only population of a run without latency's chance, and the run's answer.
    private func run(
        _ app: String, _ design: String, _ journey: String, users: Int = 1,
        tokens: String = "1h", network: String = "20ms", faults: [(String, String)] = []
    ) throws -> (counts: PopulationRow.Counts, summary: RunSummary) {
        let struck = faults.map { #"{ "kind": "\#($0.0)", "at": "\#($0.1)" }"# }
        let text = """
            { "schemaVersion": 1, "duration": "2m",
              "populations": [{ "app": "\(app)", "design": "\(design)", "users": \(users),
                "journeys": { "\(journey)": 1 }, "thinkTime": "10s", "away": "20s",
                "arriveOver": "1s", "patience": "20s", "startsSignedIn": true }],
              "backend": { "generation": "both", "tokens": { "accessLifetime": "\(tokens)" },
                "network": { "up": "\(network)", "down": "\(network)" },
                "server": { "serviceTime": "3ms" },
                "faults": [\(struck.joined(separator: ","))] },
              "thresholds": { "refreshes_per_expiry": ["value<=1"] } }
            """
        let profile = try Profile.read(Array(text.utf8), file: "test", vocabulary: .installed)
        let summary = try LoadRun(
            profile: profile, named: "test", options: LoadRun.Options(replayCommand: "")
        ).run { _ in .continue }.summary
        return (try #require(summary.populations.first).counts, summary)
    }

    @Test("A token that is refused after every refresh is one expiry, a loop, and fails the gate")
    func lostToken() throws {
        let (counts, summary) = try run(
            "shareD", "tokenUnderItself", "community", faults: [("expireAllTokens", "20s")])
        #expect(counts.expiries == 1 && counts.promptedRefreshes > 100)
        #expect(counts.redundantRefreshes == counts.promptedRefreshes - 1)
        #expect(counts.loopingCalls > 0 && counts.longestLoop > 50)
        #expect(summary.verdict == .failed)
        #expect(summary.answer.first?.contains("a refresh loop, in which") == true)
        #expect(summary.answer[1].hasPrefix("Refresh loop: "))
        #expect(summary.findings.first { $0.label == "storm.loop" } != nil)
        #expect(!summary.findings.contains { $0.label == "expiry.neverRefreshed" })
    }

    @Test(
        "Refreshes with a refresh token that was refused are redundant: a dead session storms",
        arguments: [("shareD", "community"), ("ootd", "resume")])
    func deadSession(app: String, journey: String) throws {
        let (counts, summary) = try run(
            app, "asBuilt", journey, users: 10,
            faults: [("revokeRefreshTokens", "20s"), ("expireAllTokens", "21s")])
        let perCall: Int64 = app == "shareD" ? 2 : 1
        #expect(counts.expiries > 5)
        #expect(counts.promptedRefreshes * 2 > 3 * perCall * counts.expiries)
        // The first of each person is the one that finds out.
        #expect(counts.redundantRefreshes == counts.promptedRefreshes - counts.expiries)
        #expect(!summary.answer.joined().contains("No refresh storm"))
    }

    @Test("A loop in an interceptor and one by recursion are told alike")
    func recursion() throws {
        let (built, _) = try run(
            "thisBookThatBook", "asBuilt", "browse", tokens: "1s", network: "650ms")
        let (recursive, _) = try run(
            "thisBookThatBook", "recursiveRefresh", "browse", tokens: "1s", network: "650ms")
        #expect(built.loopingCalls > 0 && built.longestLoop >= 5)
        #expect(built.loopingCalls == recursive.loopingCalls)
        #expect(built.longestLoop == recursive.longestLoop)
        // One of the two may have a refresh more under way when the run is over.
        #expect((built.redundantRefreshes - recursive.redundantRefreshes).magnitude <= 1)
    }
}
