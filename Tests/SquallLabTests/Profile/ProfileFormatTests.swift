import SquallFormat
import TestSupport
import Testing

@testable import SquallLab

@Suite("Format of profiles")
struct ProfileFormatTests {
    @Test("The schema is the accepted one")
    func schema() throws {
        let text = ProfileSchema.json(for: .sample).document
        #expect(try text == GoldenFile.accepted("schema.json", for: text))
    }

    @Test("The reference is the accepted one and fits 80 columns")
    func reference() throws {
        let text = ProfileReference.text(for: .sample)
        #expect(try text == GoldenFile.accepted("reference.txt", for: text))
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    @Test("Every setting is described by one sentence and no section has one twice")
    func descriptions() {
        let shapes = ArrivalShapes.format.shape
        check(Profile.settings(.sample) + shapes.inner.settings)
    }

    private func check(_ rows: [SettingRow]) {
        #expect(rows.allSatisfy { $0.summary.hasSuffix(".") && $0.summary.count <= 150 })
        #expect(Set(rows.map(\.key)).count == rows.count)
        for row in rows { check(row.shape.inner.settings) }
    }
}

@Suite("Overriding a profile")
struct ProfileOverrideTests {
    @Test("Scaling keeps proportions and reaches the total exactly", arguments: 1...50)
    func scaling(seed: Int64) throws {
        var profile = try Profile.reading(Profile.sample(population: #""name": "a""#))
        let population = profile.populations[0]
        profile.populations = (1...5).map { index in
            var other = population
            other.users = 1 + seed * Int64(index) * 7919 % 1_000
            return other
        }
        for total in [5, 6, seed * 13 + 5, 10_000_000] {
            let scaled = profile.scaled(toUsers: total)
            #expect(scaled.users == total)
            for (before, after) in zip(profile.populations, scaled.populations) {
                let exact = Double(before.users) * Double(total) / Double(profile.users)
                #expect(after.users >= 1)
                #expect(abs(Double(after.users) - exact) < 5 || total < 100)
            }
        }
        #expect(profile.scaled(toUsers: profile.users) == profile)
    }

    @Test("Stages of a closed load are scaled with their population")
    func loads() throws {
        let closed = try Profile.reading(
            Profile.sample(
                population: #""load": {"closed": {"stages": [{"users": 40, "for": "1m"}]}}"#))
        let stages = closed.scaled(toUsers: 1_000).populations[0].load
        let expected = Profile.UserStage(users: 400, nanoseconds: 60_000_000_000)
        #expect(stages == .closed(pacingNanoseconds: nil, stages: [expected]))
    }
}
