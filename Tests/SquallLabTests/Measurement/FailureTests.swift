import SquallReport
import Testing

@testable import SquallLab

@Suite("Why steps and calls fail")
struct FailureTests {
    @Test("Every failed step has a reason, every row an example, and the sums agree")
    func sums() throws {
        let summary = try Self.summary()
        for population in summary.populations {
            let rows = summary.stepFailures.filter { $0.population == population.name }
            #expect(rows.reduce(0) { $0 + $1.count } == population.failedSteps)
        }
        let failed = summary.endpoints.reduce(0) { $0 + $1.responses.failed }
        let repaired = summary.endpoints.reduce(0) { $0 + $1.responses.repaired }
        // Those that came after their step had ended are in no row of a step or an endpoint.
        let expired = summary.populations.reduce(0) { $0 + $1.expiredResponses }
        let told = summary.attemptFailures.reduce(0) { $0 + $1.count }
        // Each attempt that failed or was repaired was refused as expired, or is in a row.
        #expect(told > 0 && told + expired == failed + repaired)
        #expect(summary.attemptFailures.contains { $0.path.hasPrefix("GET /v1/") })
    }

    @Test("A step that a journey takes several times has one row for each way it failed")
    func distinct() throws {
        let rows = try Self.summary().stepFailures.map { row in
            [row.population, row.journey, row.step, row.outcome, row.endpoint, row.status]
        }
        #expect(Set(rows).count == rows.count)
    }

    @Test("A storm, an ignored answer and a failed step have one user's requests to show")
    func examples() throws {
        let summary = try Self.summary()
        for label in ["storm", "expiry.neverRefreshed", "step.failed"] {
            let finding = try #require(summary.findings.first { $0.label == label })
            let example = summary.examples[Int(try #require(finding.exampleIndex))]
            #expect(!example.attempts.isEmpty && example.population == finding.population)
        }
        let storm = try #require(summary.examples.first { $0.kind == "storm" })
        #expect(storm.attempts.count { $0.refreshFor != nil } > 1)
        // Its first answers carry the token that had expired, what is sent again a newer one.
        let first = storm.attempts.first { $0.isExpired }?.token
        let again = storm.attempts.last { $0.ordinal > 0 }?.token
        #expect(try #require(first) < #require(again))
    }

    @Test("Populations of one app are told apart in every row and series")
    func apart() throws {
        let summary = try Self.summary()
        #expect(Set(summary.endpoints.map(\.population)) == ["built", "right"])
        for series in summary.metrics where !series.tags.isEmpty {
            #expect(
                series.tags[.population] != nil && series.tags[.design] != nil, "\(series.name)")
        }
        let hangs = summary.series(of: .hangs)
        #expect(!hangs.isEmpty && hangs.contains { $0.count == 0 })
    }

    @Test("The percentiles over time are those of the log of latencies")
    func percentiles() throws {
        let output = try Self.result().output
        let table = TimeTable(output.timeseries, output.latencies)
        #expect(try TimeTable(csv: table.csv) == table)
        let header = table.csv.prefix { $0 != "\n" }
        #expect(
            header.hasSuffix(
                "request_duration_p50_ns,request_duration_p95_ns,request_duration_p99_ns"))
    }

    @Test("Share.D's failures before an idle server are named with the call that caused them")
    func idle() throws {
        let text = """
            {"schemaVersion": 1, "duration": "3m",
             "populations": [{"app": "shareD", "design": "reference", "users": 30,
                              "journeys": {"community": 1}, "arriveOver": "1s"}]}
            """
        let profile = try Profile.read(
            Array(text.utf8), file: "test.json", vocabulary: .installed, overrides: [])
        let summary = try LoadRun(
            profile: profile, named: "test", options: .init(replayCommand: "")
        ).run { _ in .continue }.summary
        let known = ["missing.", "wrong.", "list."]
        #expect(!summary.stepFailures.isEmpty && !summary.attemptFailures.isEmpty)
        for row in summary.stepFailures {
            #expect(known.contains { row.outcome.hasPrefix($0) }, "\(row.outcome)")
        }
        // The app asks for an address that no call of the contract has.
        #expect(
            summary.attemptFailures.allSatisfy { $0.status == "444" && $0.endpoint == "GET /v1" })
        let finding = summary.findings.first { $0.label == "attempt.failed" }
        #expect(finding?.detail.contains("GET /v1, which no service knows") == true)
    }

    private static func summary() throws -> RunSummary { try result().summary }

    /// Readers of two designs whose tokens expire while the network loses some answers.
    private static func result() throws -> RunResult {
        let population = { (name: String, design: String) in
            """
            {"name": "\(name)", "app": "scrolly", "design": "\(design)", "users": 20,
             "journeys": {"resume": 1}, "arriveOver": "1s", "away": "5s", "thinkTime": "1s"}
            """
        }
        let text = """
            {"schemaVersion": 1, "duration": "90s",
             "populations": [
                \(population("built", "asBuilt")), \(population("right", "reference"))
             ],
             "backend": {"tokens": {"accessLifetime": "20s"},
                         "network": {"answerLossProbability": 0.01}}}
            """
        let profile = try Profile.read(
            Array(text.utf8), file: "test.json", vocabulary: .installed, overrides: [])
        return try LoadRun(
            profile: profile, named: "test", options: .init(replayCommand: "")
        ).run { _ in .continue }
    }
}
