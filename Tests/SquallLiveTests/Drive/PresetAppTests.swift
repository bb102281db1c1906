import SquallBackend
import SquallFormat
import SquallHTTP
import SquallLab
import SquallReport
import SquallServices
import Testing

@Suite("Apps in front of token services by name")
struct PresetAppTests {
    /// What becomes of five users in two minutes in front of a preset whose tokens live 20 s.
    private func population(of preset: TokenPreset) throws -> PopulationRow {
        var tokens = preset.service.tokens
        (tokens.accessLifetimeNanoseconds, tokens.statedLifetimeNanoseconds) = (
            20_000_000_000, nil
        )
        tokens.refreshedLifetimeNanoseconds = nil
        let rules = tokens.settings.map { "\"\($0.key)\": \($0.value.line)" }
        let text = """
            { "schemaVersion": 1, "duration": "2m", "drain": "10s",
              "populations": [{ "app": "mine", "users": 5, "journeys": { "read": 1 },
                "thinkTime": "2s", "away": "5s", "arriveOver": "5s" }],
              "apps": [{ "name": "mine",
                "screens": [{ "name": "home", "calls": [["me", "write"]] }],
                "journeys": [{ "name": "read", "steps": ["home"] }] }],
              "backend": { "tokens": { \(rules.joined(separator: ", ")) },
                "network": { "up": "20ms", "down": "20ms" },
                "service": { "form": "\(preset.name)", "endpoints": [
                  { "name": "me", "path": "/me" },
                  { "name": "write", "method": "POST", "path": "/me" }] } } }
            """
        let profile = try Profile.read(
            Array(text.utf8), file: preset.name, vocabulary: .installed)
        let result = try LoadRun(
            profile: profile, named: preset.name, options: .init(replayCommand: "")
        ).run { _ in .continue }
        return result.summary.populations[0]
    }

    @Test(
        "An app keeps its sessions where the service lets it, and loses them where it does not",
        arguments: TokenPreset.all.map(\.name))
    func keeps(name: String) throws {
        let preset = try #require(TokenPreset.named(name))
        let row = try population(of: preset)
        let canKeep =
            preset.service.form.hasRefreshTokens && preset.service.tokens.refresh != .once
        #expect((row.sessionsLost == 0) == canKeep, "\(row.sessionsLost)")
        if canKeep { #expect(row.failedSteps == 0) }
    }

    @Test(
        "The settings of a form, read on top of another, give that form",
        arguments: TokenPreset.all.map(\.name))
    func roundTrip(name: String) throws {
        let form = try #require(TokenPreset.named(name)).service.form
        let members = form.settings.map { "\"\($0.key)\": \($0.value.line)" }
        let text = """
            { "form": "status419", \(members.joined(separator: ", ")),
              "endpoints": [{ "name": "other", "path": "/other" }] }
            """
        var problems = SettingProblems()
        let read = DeclaredService.format.value(
            of: try JSONParser.parse(Array(text.utf8)), &problems)
        #expect(problems.all.isEmpty, "\(problems.all)")
        #expect(read.form.access == form.access && read.form.delivery == form.delivery)
        #expect(read.form.logIn.target == form.logIn.target)
        #expect(read.form.logIn.fields == form.logIn.fields)
        #expect(read.form.refresh.token == form.refresh.token)
        #expect(read.form.claims == form.claims)
    }
}
