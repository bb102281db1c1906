import Foundation
import SquallReport
import Testing

@testable import SquallLab

@Suite("What profiles say, in a small size, against what the apps' rules allow")
struct ProfileHeadlineTests {
    private func summary(
        _ name: String, users: Int64, for duration: String? = nil
    ) throws -> RunSummary {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Profiles/\(name).json").standardizedFileURL
        let overrides = duration.map { ["duration=\($0)"] } ?? []
        let profile = try Profile.read(
            Array(Data(contentsOf: file)), file: name, vocabulary: .installed,
            overrides: overrides.compactMap { ProfileOverride(setting: $0) })
        return try LoadRun(
            profile: profile.scaled(toUsers: users), named: name,
            options: LoadRun.Options(replayCommand: "")
        ).run { _ in .continue }.summary
    }

    private func row(_ population: String, _ summary: RunSummary) throws -> PopulationRow {
        try #require(summary.populations.first { $0.name == population })
    }

    /// A count among so many, each of which is one by itself with a probability.
    private func isLikely(_ count: Int64, of whole: Int64, _ probability: Double) -> Bool {
        let expected = probability * Double(whole)
        return abs(Double(count) - expected) <= 4 * (expected * (1 - probability)).squareRoot()
    }

    @Test(
        "flaky-refresh: old main screens multiply refreshes, and the reference needs 1 / 0.8"
    )
    func flakyRefresh() throws {
        let summary = try summary("flaky-refresh", users: 90, for: "20m")
        func replaced(_ population: String) -> Int64 {
            summary.series(of: .hiddenScreenCalls)
                .filter { $0.tags[.cause] == "replaced" && $0.tags[.population] == population }
                .reduce(0) { $0 + ($1.count ?? 0) }
        }
        #expect(replaced("as built") > 0)
        #expect(replaced("weak delegate") == 0 && replaced("reference") == 0)
        let each = try ["as built", "weak delegate", "reference"].map { name in
            let row = try row(name, summary)
            return Double(row.promptedRefreshes) / Double(row.expiries)
        }
        // Tries until one succeeds: of mean 1 / 0.8 and variance 0.2 / 0.8²; who leaves tries less.
        let expiries = try row("reference", summary).expiries
        #expect(each[2] >= 1)
        #expect(each[2] <= 1.25 + 4 * (0.3125 / Double(expiries)).squareRoot())
        // Two at the least where a screen asks for two things at once.
        #expect(each[0] > each[1] && each[1] > 2)
        // Six for a tap on an episode, and as many by Splash where all of them fail.
        for step in summary.expiredSteps
        where step.population == "weak delegate" && step.step == "episode" {
            #expect(step.refreshes <= 12 * step.expiredSteps, "\(step)")
        }
    }

    @Test("payment-day: charges for nothing are those that the provider's and server's rules make")
    func paymentDay() throws {
        let summary = try summary("payment-day", users: 450)
        func visits(_ status: String, _ population: String? = nil) -> Int64 {
            summary.series(of: .payments)
                .filter { $0.tags[.status] == status }
                .filter { population == nil || $0.tags[.population] == population }
                .reduce(0) { $0 + ($1.count ?? 0) }
        }
        func audits(_ kind: String, _ population: String) -> Int64 {
            summary.audits.filter { $0.kind == kind && $0.population == population }
                .reduce(0) { $0 + $1.count }
        }
        let charged = visits("booked") + visits("unbooked")
        #expect(charged > 300)
        // Not reported, or reported without a number; else the validation fails.
        #expect(isLikely(visits("unbooked"), of: charged, 1 - 0.98 * 0.97))
        let all = charged + visits("cancelled") + visits("refused")
        #expect(isLikely(visits("cancelled"), of: all, 0.125))
        for name in ["readers", "book lovers", "givers"] {
            #expect(audits("purchase.lost", name) == visits("unbooked", name), "\(name)")
            // Each start refreshes for one call, so nothing can refresh twice.
            #expect(try row(name, summary).redundantRefreshes == 0, "\(name)")
        }
        // The gate counts everybody who was charged twice, also where only one charge was booked.
        let gate = try #require(
            summary.thresholds.first { $0.metric == "audit_findings{cause:chargedTwice}" })
        let twice = ["readers", "book lovers", "givers"].map { audits("chargedTwice", $0) }
        #expect(gate.observed == .count(twice.reduce(0, +)) && !gate.ok)
        #expect(twice[2] > audits("purchase.twice", "givers"))
        #expect(twice[0] + twice[1] > 0)
        // Share.D offers everything again; the others charge again for what was not booked.
        #expect(audits("purchase.twice", "givers") > 0)
        #expect(audits("purchase.twice", "readers") + audits("purchase.twice", "book lovers") == 0)
    }

    @Test(
        "short-tokens: a step refreshes for each of its calls as built, and once on the reference")
    func shortTokens() throws {
        let summary = try summary("short-tokens", users: 40)
        for row in summary.populations where row.design == "reference" {
            #expect(row.expiries > 20 && row.redundantRefreshes == 0, "\(row.name)")
            #expect(row.sessionsLost == 0 && row.hangs == 0, "\(row.name)")
        }
        let calls = ["launch": 1, "main": 4, "tab": 3, "novel": 2, "episode": 6, "comment": 1]
        let steps = summary.expiredSteps.filter { $0.population == "scrolly as built" }
        #expect(steps.count > 5)
        for step in steps {
            guard let most = calls[step.step] else { continue }
            #expect(step.refreshes <= Int64(most) * step.expiredSteps, "\(step)")
        }
        let episodes = steps.filter { $0.step == "episode" }
        #expect(episodes.contains { $0.refreshes == 6 * $0.expiredSteps })
    }
}
