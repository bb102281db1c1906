import Foundation
import SquallKernel
import SquallReport
import Testing

@testable import SquallLab

@Suite("Storms of the four apps, declared and coded")
struct DeclaredStormTests {
    /// The app and a step of its code, the profile and the step that declares it.
    static let pairs = [
        Pair("scrolly", "resume", "novel", "scrolly-declared", "look", "novel"),
        Pair("thisBookThatBook", "profile", "profile", "book-declared", "profile", "profile"),
        Pair("thisBookThatBook", "browse", "feed", "book-declared", "browse", "feed"),
        Pair("shareD", "community", "community", "gift-declared", "community", "community"),
        Pair("ootd", "scroll", "feed", "outfit-declared", "scroll", "feed"),
    ]

    struct Pair: Sendable, CustomTestStringConvertible {
        let app, journey, step, file, ownJourney, ownStep: String

        init(
            _ app: String, _ journey: String, _ step: String, _ file: String,
            _ ownJourney: String, _ ownStep: String
        ) {
            (self.app, self.journey, self.step) = (app, journey, step)
            (self.file, self.ownJourney, self.ownStep) = (file, ownJourney, ownStep)
        }

        var testDescription: String { "\(app) \(step)" }
    }

    @Test("A step on an expired token refreshes as often as the code's", arguments: pairs)
    func storm(pair: Pair) throws {
        let coded = try TestWorld(
            app: pair.app, journeys: #"{"\#(pair.journey)": 1}"#,
            backend: #"{"generation": "both", "tokens": {"accessLifetime": "5s"}}"#,
            initialTokens: "expired"
        ).refreshes(each: pair.step)
        let declared = try refreshes(pair.file, pair.ownJourney, pair.ownStep)
        #expect(coded.whole > 5 && declared.whole > 5)
        #expect(coded.part * declared.whole == declared.part * coded.whole)
    }

    private func refreshes(_ name: String, _ journey: String, _ step: String) throws -> Ratio {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Profiles/declared/\(name).json").standardizedFileURL
        let settings = [
            "populations[0].users=20", "populations[0].thinkTime=10s", "populations[0].away=20s",
            #"populations[0].journeys={"\#(journey)": 1}"#, "backend.tokens.accessLifetime=5s",
        ]
        let profile = try Profile.read(
            Array(Data(contentsOf: file)), file: name, vocabulary: .installed,
            overrides: settings.compactMap { ProfileOverride(setting: $0) })
        let world = World(WorldPlan(profile))
        _ = try world.simulation.run(until: Instant(nanoseconds: 240_000_000_000))
        world.tearDown()
        let key = MetricKey(.refreshesPerExpiredStep, [.step: step])
        guard case .ratio(let ratio) = world.metrics.value(of: key) else { return Ratio() }
        return ratio
    }
}
