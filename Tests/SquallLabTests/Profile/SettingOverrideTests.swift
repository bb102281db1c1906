import SquallBackend
import Testing

@testable import SquallLab

@Suite("Overrides of a profile's settings")
struct SettingOverrideTests {
    private func read(_ overrides: ProfileOverride?...) throws -> Profile {
        let text = Profile.sample(#""thresholds": {"hangs": ["count==0"]},"#)
        return try Profile.read(
            Array(text.utf8), file: "x.json", vocabulary: .sample,
            overrides: try overrides.map { try #require($0) })
    }

    @Test("An override replaces what the file says, or says what it does not")
    func set() throws {
        let profile = try read(
            ProfileOverride(setting: "populations[0].users=7"),
            ProfileOverride(setting: "backend.tokens.accessLifetime=5m"),
            ProfileOverride(setting: "populations[0].load={\"closed\": {\"pacing\": \"9s\"}}"))
        #expect(profile.users == 7)
        #expect(profile.backend.tokens.accessLifetimeNanoseconds == 300_000_000_000)
        let load = profile.populations[0].load
        #expect(load == .closed(pacingNanoseconds: 9_000_000_000, stages: []))
    }

    @Test("A text needs no quotes, even where it looks like a number")
    func texts() throws {
        let profile = try read(ProfileOverride(setting: "question=17"))
        #expect(profile.question == "17")
    }

    @Test("An expectation is added to those of the file, tags with colons included")
    func expectations() throws {
        let profile = try read(
            ProfileOverride(expectation: "hangs: count<9"),
            ProfileOverride(expectation: "step_duration{step:episode}:p(95)<1s"))
        #expect(
            profile.expectations.map { "\($0.metric) \($0.expression)" } == [
                "hangs count==0", "hangs count<9", "step_duration{step:episode} p(95)<1s",
            ])
    }

    @Test("An expectation that the file has already is judged once")
    func twice() throws {
        let expected = ["hangs count==0", "hangs count<9"]
        let profile = try read(
            ProfileOverride(expectation: "hangs: count==0"),
            ProfileOverride(expectation: "hangs: count<9"),
            ProfileOverride(expectation: "hangs:count<9"))
        #expect(profile.expectations.map { "\($0.metric) \($0.expression)" } == expected)
    }

    private func fitted(_ members: String, _ overrides: ProfileOverride?...) throws -> Profile {
        let text = Profile.sample(
            #""backend": { "server": { "workers": 10, "serviceTime":"#
                + #" { "logNormal": { "median": "20ms", "sigma": 0.5 } } } },"#
                + "\"fitted\": { \(members) },")
        return try Profile.read(
            Array(text.utf8), file: "x.json", vocabulary: .sample,
            overrides: try overrides.map { try #require($0) })
    }

    @Test("A fitted setting is multiplied, a law in all its times, unless an override sets it")
    func multiplied() throws {
        let (workers, law) = ("backend.server.workers", "backend.server.serviceTime")
        let members = "\"\(workers)\": [0.8, 1.25], \"\(law)\": [0.5, 2]"
        let known = try fitted(members).fitted
        #expect(known.map(\.path) == [workers, law] && known.map(\.high) == [1.25, 2])
        let drawn = try fitted(
            members, ProfileOverride(multiplying: known[0], by: 1.16),
            ProfileOverride(multiplying: known[1], by: 1.5))
        #expect(drawn.backend.server.workers == 12)
        let longer = try fitted(
            members,
            ProfileOverride(
                setting: #"\#(law)={"logNormal": {"median": "30ms", "sigma": 0.5}}"#))
        #expect(drawn.backend.server.serviceTime == longer.backend.server.serviceTime)
        let told = try fitted(
            members, ProfileOverride(multiplying: known[0], by: 1.16),
            ProfileOverride(setting: "\(workers)=7"))
        #expect(told.backend.server.workers == 7)
    }

    @Test(
        "A fitted setting must be a number, a duration or a law that the profile has",
        arguments: [
            #""backend.server.queueLimit": [0.9, 1.1]"#, #""nowhere": [0.9, 1.1]"#,
            #""populations[0].app": [0.9, 1.1]"#, #""a..b": [0.9, 1.1]"#,
            #""backend.server.workers": [1.1, 1.2]"#, #""backend.server.workers": 2"#,
        ])
    func unfit(members: String) throws {
        let error = try #require(throws: InvalidProfile.self) { try fitted(members) }
        #expect(error.description.contains("fitted."))
    }

    @Test("A problem of an override names the override, and a rule between both is checked")
    func problems() throws {
        let error = try #require(throws: InvalidProfile.self) {
            try read(
                ProfileOverride(setting: "duration=1m"),
                ProfileOverride(setting: "warmUp.for=2m"))
        }
        #expect(error.problems.count == 1 && error.problems[0].isOverride)
        #expect(
            error.description == "warmUp.for must be shorter than the run of 1m, got 2m"
                + " (--set warmUp.for=2m, /warmUp/for)")
    }

    @Test(
        "A text that is no key path with a value is no override",
        arguments: ["seed", "=1", "a..b=1"])
    func wrong(text: String) { #expect(ProfileOverride(setting: text) == nil) }
}
