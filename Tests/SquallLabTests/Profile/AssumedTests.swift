import SquallFormat
import SquallReport
import Testing

@testable import SquallLab

@Suite("What a profile assumes")
struct AssumedTests {
    private static let workers = #""backend.server.workers": 10"#

    private func read(
        _ assumed: String, workers: Int = 10, _ override: ProfileOverride? = nil
    ) throws -> (profile: Profile, document: JSONNode) {
        let text = Profile.sample(
            "\"backend\": { \"server\": { \"workers\": \(workers) } }, \"assumed\": { \(assumed) },"
        )
        return try Profile.reading(
            Array(text.utf8), file: "x.json", vocabulary: .sample,
            overrides: [override].compactMap(\.self))
    }

    @Test("A setting is assumed as long as it has the assumed value")
    func edited() throws {
        let (profile, document) = try read(Self.workers)
        #expect(profile.assumed.map(\.path) == ["backend.server.workers"])
        #expect(profile.assumed.map(\.text) == ["10"])
        #expect(document["assumed"]?["backend.server.workers"] != nil)
        #expect(try read(Self.workers, workers: 11).profile.assumed.isEmpty)
        #expect(try read(#""backend.server.queueLimit": 10"#).profile.assumed.isEmpty)
    }

    @Test("A value of --set is not assumed, even if it is the assumed one, also in the results")
    func given() throws {
        let same = try #require(ProfileOverride(setting: "backend.server.workers=10"))
        let (profile, document) = try read(Self.workers, same)
        #expect(profile.assumed.isEmpty)
        let again = try Profile.read(
            Array(document.document.utf8), file: "x.json", vocabulary: .sample)
        #expect(again.assumed.isEmpty)
    }

    @Test("A number of users that the command line gives is not assumed")
    func users() throws {
        let (profile, document) = try read(#""populations[0].users": 10"#)
        let users = profile.users
        let (own, _) = try read("\"populations[0].users\": \(users)")
        #expect(own.assumed.map(\.path) == ["populations[0].users"])
        let scaled = own.scaled(toUsers: users)
        #expect(scaled.assumed.isEmpty)
        #expect(scaled.written(in: document)["assumed"]?["populations[0].users"] == nil)
    }

    @Test("A name that is no key path is refused")
    func noPath() throws {
        let error = try #require(throws: InvalidProfile.self) { try read(#""a..b": 1"#) }
        #expect(error.description.contains("must be a key path"))
    }

    @Test("An effect is estimated by the law of the whole setting, not of one called like it")
    func sameName() throws {
        let text = Profile.minimal(
            #""duration": "10s", "backend": {"network": {"up": "20ms", "classes": ["#
                + #"{"name": "poor", "share": 0.25, "up": "1s", "down": "1s"}]}},"#
                + #""assumed": {"backend.network.up": "20ms","#
                + #" "backend.network.classes[0].up": "1s"},"#)
        let summary = try LoadRun(
            profile: try Profile.read(text), named: "test", options: .init(replayCommand: "")
        ).run { _ in .continue }.summary
        let effects = Dictionary(
            uniqueKeysWithValues: summary.assumed.map { ($0.setting, $0.effect) })
        #expect(effects["backend.network.up"]?.hasPrefix("response +") == true)
        #expect(effects["backend.network.classes[0].up"] == "not estimated")
    }

    @Test("Estimated effects come first, the largest before others, each setting once")
    func order() {
        let rows = [AssumedRow].united([
            [
                AssumedRow("calls", "…", unknownEffect: "not estimated", isDecisive: true),
                AssumedRow("workers", "4", effect: "+2 %", change: 0.02),
                AssumedRow("network", "40ms", effect: "+19 %", change: 0.19),
            ], [AssumedRow("workers", "4", effect: "the server saturates", change: 1_000)],
        ])
        #expect(rows.map(\.setting) == ["workers", "network", "calls"])
        #expect(rows.warning?.contains("3 assumed values (workers 4, network 40ms") == true)
        #expect([AssumedRow("x", "1", effect: "+2 %", change: 0.02)].warning == nil)
    }
}
