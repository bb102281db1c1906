import SquallReport
import Testing

@testable import SquallLab

@Suite("Populations side by side")
struct PopulationTests {
    /// Ten people on each design of an app, all on tokens that expired before they came.
    static func summary(
        of app: String, journey: String, backend: String = #"{"generation": "both"}"#,
        duration: String = "2m", patience: String = "90s", thresholds: String = "{}"
    ) throws -> RunSummary {
        let populations = ["asBuilt", "reference"].map { design in
            """
            { "name": "\(design)", "app": "\(app)", "design": "\(design)", "users": 10,
              "journeys": {"\(journey)": 1}, "thinkTime": "10s", "away": "20s",
              "arriveOver": "5s", "patience": "\(patience)", "initialTokens": "expired" }
            """
        }
        let text = """
            { "schemaVersion": 1, "duration": "\(duration)", "backend": \(backend),
              "populations": [\(populations.joined(separator: ","))],
              "thresholds": \(thresholds) }
            """
        let profile = try Profile.read(Array(text.utf8), file: "test", vocabulary: .installed)
        return try LoadRun(
            profile: profile, named: "test", options: LoadRun.Options(replayCommand: "")
        ).run { _ in .continue }.summary
    }

    /// An app, the calls its first step makes at once, and how many of them refresh as built.
    @Test(
        "One expiry costs as many refreshes as there are calls as built, and one on the reference",
        arguments: [
            ("thisBookThatBook", "profile", 3, 3),
            ("shareD", "community", 1, 1), ("ootd", "resume", 1, 1),
        ])
    func eachExpiry(app: String, journey: String, calls: Int64, refreshes: Int64) throws {
        let rows = try Self.summary(of: app, journey: journey).populations
        #expect(
            rows.map(\.design) == ["asBuilt", "reference"] && rows.allSatisfy { $0.users == 10 })
        #expect(rows.map(\.expiries) == [10, 10])
        #expect(rows.map(\.promptedRefreshes) == [10 * refreshes, 10])
        #expect(rows.map(\.expiredResponses) == [10 * calls, 10 * calls])
        #expect(rows.map(\.hangs) == [0, 0])
    }

    @Test("A request that ends after its step was given up is counted, so that all sums add up")
    func outsideSteps() throws {
        let summary = try Self.summary(
            of: "thisBookThatBook", journey: "profile",
            backend: #"{"generation": "both", "server": {"serviceTime": "3s"}}"#, patience: "1s")
        let counts = summary.populations
        #expect(summary.total(of: .hangs)?.count ?? 0 > 0)
        let expired = counts.reduce(0) { $0 + $1.expiredResponses }
        #expect(expired > 0 && summary.total(of: .expiredResponses)?.count == expired)
        let refreshes = counts.reduce(0) { $0 + $1.promptedRefreshes + $1.unpromptedRefreshes }
        #expect(refreshes > 0 && summary.total(of: .refreshes)?.count == refreshes)
        #expect(summary.expiries.reduce(0) { $0 + $1.expiredResponses } == expired)
    }

    @Test("The parts of the populations add up to the whole run's numbers")
    func sums() throws {
        let summary = try Self.summary(of: "scrolly", journey: "read")
        let counts = summary.populations
        #expect(summary.refreshes?.counts.expiries == counts.reduce(0) { $0 + $1.expiries })
        #expect(
            summary.refreshes?.counts.promptedRefreshes
                == counts.reduce(0) { $0 + $1.promptedRefreshes })
        #expect(
            summary.refreshes?.counts.unpromptedRefreshes
                == counts.reduce(0) { $0 + $1.unpromptedRefreshes })
        #expect(summary.retries?.tree.attempts == counts.reduce(0) { $0 + $1.attempts })
        #expect(summary.retries?.wastedAttempts == counts.reduce(0) { $0 + $1.wastedAttempts })
        let steps = summary.steps.reduce(into: (ended: Int64(0), failed: Int64(0))) {
            $0 = ($0.ended + $1.count, $0.failed + $1.failed)
        }
        #expect(counts.reduce(0) { $0 + $1.steps } == steps.ended)
        #expect(counts.reduce(0) { $0 + $1.failedSteps + $1.hangs } == steps.failed)
    }

    @Test("A dead refresh token signs Share.D's people out on the reference design alone")
    func sessionsLost() throws {
        let backend = """
            {"faults": [{"kind": "expireAllTokens", "at": "1m"},
                        {"kind": "revokeRefreshTokens", "at": "1m"}]}
            """
        let rows = try Self.summary(of: "shareD", journey: "community", backend: backend)
            .populations
        #expect(rows.map(\.sessionsLost) == [0, 10])
        #expect(rows[0].recovery.afterNanoseconds == nil && rows[0].faults.count == 2)
    }

    @Test("A threshold can be about one design")
    func thresholds() throws {
        let summary = try Self.summary(
            of: "scrolly", journey: "resume",
            thresholds: """
                {"refreshes_per_expiry{design:reference}": ["value==1"],
                 "refreshes_per_expiry{design:asBuilt}": ["value==1"],
                 "steps{design:reference}": ["count>0"]}
                """)
        #expect(summary.thresholds.map(\.ok) == [true, false, true])
    }
}
