import SquallReport
import Testing

@testable import SquallLab

@Suite("Retries that a profile adds")
struct RetryTests {
    /// Twenty people on the settings of Share.D for two minutes, while the server always fails.
    ///
    /// Other journeys begin at home, where the shop's server answers well.
    static func view(_ retries: String) throws -> RetryView {
        let text = """
            { "schemaVersion": 1, "duration": "2m", "populations": [{ "app": "shareD",
              "retries": "\(retries)", "users": 20, "journeys": {"settings": 1},
              "thinkTime": "1s", "away": "2s", "arriveOver": "5s" }],
              "backend": { "generation": "both",
                "faults": [{ "kind": "serverError", "at": "0s", "status": 503 }] } }
            """
        let profile = try Profile.read(Array(text.utf8), file: "test", vocabulary: .installed)
        let summary = try LoadRun(
            profile: profile, named: "test", options: LoadRun.Options(replayCommand: "")
        ).run { _ in .continue }.summary
        #expect(summary.selfChecks.allSatisfy { $0.ok })
        return try #require(summary.retries)
    }

    @Test(
        "A call that always fails is sent once without retries and three times with naive ones",
        arguments: [("none", 1), ("naive", 3), ("jittered", 3)])
    func limits(retries: String, sends: Int) throws {
        let view = try Self.view(retries)
        #expect(view.requestsByAttempts.count == sends && view.budget == nil)
        // Each of the twenty starts the app once, at home, where the shop answers.
        let once: [Int64] = sends > 1 ? [20] + Array(repeating: 0, count: sends - 2) : []
        #expect(view.requestsByAttempts.dropLast() == once[...])
        #expect(view.attempts.count == sends && view.failedRequests > 100)
    }

    /// How long one call takes that always fails: 20 ms each time it is sent, and its delays.
    private static func milliseconds(_ policy: String) throws -> Int64 {
        let text = """
            { "schemaVersion": 1, "duration": "1m", "populations": [{ "app": "shareD",
              "retries": "naive", "retryPolicy": \(policy), "users": 3, "away": "1h",
              "journeys": {"communityToEnd": 1}, "arriveOver": "1s" }],
              "backend": { "network": { "up": "10ms", "down": "10ms" },
                "server": { "serviceTime": "0s" },
                "faults": [{ "kind": "serverError", "at": "0s", "status": 503 }] } }
            """
        let summary = try LoadRun(
            profile: try Profile.read(text), named: "test", options: .init(replayCommand: "")
        ).run { _ in .continue }.summary
        let durations = try #require(summary.latency(.stepDuration))
        #expect(durations.count == 3 && durations.minimum == durations.maximum)
        return durations.minimum / 1_000_000
    }

    @Test(
        "A call is sent again as often and after as long as the profile says",
        arguments: [
            ("{}", 3 * 20 + 500 + 1_000), (#"{"limit": 0}"#, 20),
            (#"{"limit": 4, "firstDelay": "100ms"}"#, 5 * 20 + 1_500),
            (#"{"limit": 3, "firstDelay": "100ms", "factor": 3}"#, 4 * 20 + 1_300),
            (
                #"{"limit": 3, "firstDelay": "100ms", "factor": 3, "longestDelay": "500ms"}"#,
                4 * 20 + 900
            ),
        ] as [(String, Int64)])
    func policy(policy: String, expected: Int64) throws {
        #expect(try Self.milliseconds(policy) == expected)
    }

    @Test("Phones that refuse their own calls send a failing server fewer of them")
    func adaptive() throws {
        let (adaptive, jittered) = (try Self.view("adaptive"), try Self.view("jittered"))
        #expect(adaptive.tree.attempts < jittered.tree.attempts * 3 / 4)
    }

    @Test("A budget grants one retry to each phone and one more for ten of its requests")
    func budget() throws {
        let view = try Self.view("budgeted")
        let budget = try #require(view.budget)
        let requests = view.requestsByAttempts.reduce(0, +)
        let retries = view.tree.children[1].attempts
        #expect(budget.granted == retries && budget.requested >= requests)
        #expect(retries >= 20 && Double(retries) <= 20 + 0.1 * Double(requests))
    }

    @Test(
        "A setting of another kind of retries is refused with the kind that it needs",
        arguments: [
            ("naive", "budget", "0.2", "budgeted"), ("breaker", "savings", "3", "budgeted"),
            ("budgeted", "opensAfter", "2", "breaker"),
            ("jittered", "openFor", "\"1s\"", "breaker"),
        ])
    func ownedSettings(retries: String, key: String, value: String, owner: String) throws {
        func text(_ retries: String) -> String {
            """
            { "schemaVersion": 1, "duration": "1m", "populations": [{ "app": "shareD",
              "users": 3, "journeys": {"communityToEnd": 1}, "retries": "\(retries)",
              "retryPolicy": { "\(key)": \(value) } }] }
            """
        }
        _ = try Profile.read(text(owner))
        let refusal = try #require(throws: InvalidProfile.self) { try Profile.read(text(retries)) }
        #expect(refusal.description.contains("let retries be \(owner), or leave it out"))
    }
}
