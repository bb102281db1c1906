import Foundation
import SquallFormat
import SquallLab
import SquallProfile
import Testing

@testable import SquallRaces

@Suite("The races of the field")
struct RaceCaseTests {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Profiles/races")

    /// The cases, by the names of their profiles, and the invariant that each breaks.
    static let cases = [
        ("r1", "S1"), ("r2", "S4"), ("r3", "S8"), ("r4", "S7"), ("r5", "L6"), ("r6", "S8"),
        ("r7", "S5"), ("r8", "L2"), ("r9", "S13"), ("r10", "L5"), ("r11", "S9"), ("r12", "S18"),
        ("r13", "L7"), ("r14", "S20"), ("gap", "S1"), ("zombie", "S6"),
    ]

    static func scenario(_ name: String, _ overrides: String...) throws -> RaceScenario {
        let file = folder.appending(path: name + ".json")
        let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        let profile = try Profile.read(
            Array(text.utf8), file: name, vocabulary: .installed,
            overrides: overrides.compactMap { ProfileOverride(setting: $0) })
        return try RaceScenario(
            profile, source: ScenarioSource(profile: name, text: text, overrides: overrides))
    }

    static func explore(
        _ scenario: RaceScenario, _ schedules: Int, shrinking: Int = 0
    ) throws -> Exploration {
        try Explorer(
            .small(
                schedules, window: scenario.roundTripNanoseconds, findingsMax: 1,
                shrinking: shrinking)
        ).explore(scenario)
    }

    @Test("The case's client breaks the case's invariant", arguments: cases)
    func isFound(name: String, invariant: String) throws {
        let exploration = try Self.explore(try Self.scenario(name), 129)
        #expect(exploration.findings.contains { $0.violation.invariant == invariant })
    }

    @Test("The reference design breaks nothing in any case", arguments: cases)
    func reference(name: String, invariant: String) throws {
        var scenario = try Self.scenario(name, "populations[0].design=reference")
        scenario.invariants = RaceInvariants.all
        let exploration = try Self.explore(scenario, 60)
        #expect(exploration.findings.map(\.violation.text) == [])
    }

    @Test("A saved finding is repeated exactly, and says when the build is another")
    func replay() throws {
        let exploration = try Self.explore(try Self.scenario("r7"), 129, shrinking: 150)
        let finding = try #require(exploration.findings.first)
        let saved = try #require(FindingFile(finding, seed: 1, build: "this"))
        let file = try FindingFile.read(Data(JSONDocument.text(saved).utf8))
        #expect(file == saved && file.departures <= 12)
        let replay = try Replay(file, build: "this", vocabulary: .installed)
        #expect(replay.isExact && replay.isStillThere && replay.isSameBuild)
        let other = try Replay(file, build: "that", vocabulary: .installed)
        #expect(other.isExact && other.statement.hasPrefix("another build"))
    }

    @Test("The explanation names the order that matters, and the twin keeps the promise")
    func explanation() throws {
        let exploration = try Self.explore(try Self.scenario("r7"), 129, shrinking: 150)
        let finding = try #require(exploration.findings.first)
        let order = try #require(finding.orderThatMatters)
        #expect(order.contains(" before "))
        let rows = Timeline(finding.played, of: finding.violation).rows
        #expect(rows.contains(where: \.isCritical) && rows.contains(where: \.isContradiction))
        #expect(!finding.needsNoOrder && finding.twin.violations.isEmpty)
    }

    @Test("Names that nothing is called are refused with what is meant")
    func names() throws {
        let error = #expect(throws: ExplorationError.self) {
            _ = try RaceScenario.invariants(["S1", "noZombi"])
        }
        #expect(error?.description.contains("noZombie") == true)
    }
}
