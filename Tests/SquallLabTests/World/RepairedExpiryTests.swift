import Foundation
import SquallKernel
import SquallReport
import Testing

@testable import SquallLab

@Suite("Expired responses that a client repairs")
struct RepairedExpiryTests {
    private func metrics(design: String) throws -> Metrics {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Profiles/declared/book-declared.json").standardizedFileURL
        let settings = [
            "populations[0].users=20", "populations[0].thinkTime=10s", "populations[0].away=20s",
            "populations[0].design=\(design)", "backend.tokens.accessLifetime=5s",
        ]
        let profile = try Profile.read(
            Array(Data(contentsOf: file)), file: "book", vocabulary: .installed,
            overrides: settings.compactMap { ProfileOverride(setting: $0) })
        let world = World(WorldPlan(profile))
        _ = try world.simulation.run(until: Instant(nanoseconds: 240_000_000_000))
        world.tearDown()
        return world.metrics
    }

    @Test(
        "Expired responses that a retry repairs are counted apart, and not as failures",
        arguments: ["reference", "asBuilt"])
    func repaired(design: String) throws {
        let metrics = try metrics(design: design)
        let expired = metrics.value(of: MetricKey(.expiredResponses))?.count?.all ?? 0
        let repaired = metrics.value(of: MetricKey(.expiredRepaired))?.count?.all ?? 0
        #expect(expired > 50 && repaired > 0 && repaired <= expired)
        guard case .rate(let failed)? = metrics.value(of: MetricKey(.requestFailed)) else {
            Issue.record("request_failed is no rate")
            return
        }
        let answered = metrics.value(of: MetricKey(.requests))?.count?.all ?? 0
        #expect(failed.part >= expired - repaired && failed.whole <= answered)
        // The right design repeats whatever was refused; only calls under way are open.
        if design == "reference" { #expect(failed.part <= 20) }
    }
}
