import SquallLab
import Testing

@testable import SquallAnswers
@testable import CommandLineTool

@Suite("One population of several")
struct NarrowingTests {
    private func file(_ populations: String...) throws -> ProfileFile {
        try ProfileFile(
            "token-expiry-storm", console: PlayedTool().console, populations: populations)
    }

    @Test("Runs and questions have the named population alone, with the settings given for it")
    func narrowed() throws {
        let design = try #require(
            ProfileOverride(setting: "populations[4].design=disposedRefresh"))
        let file = try file("presents as built")
        let run = try file.read(.installed, [design]).profile
        let asked = try file.experiment(.installed, [design]) { $0 }.profile
        for profile in [run, asked] {
            #expect(profile.populations.map(\.name) == ["presents as built"])
            #expect(profile.populations.map(\.design) == ["disposedRefresh"])
        }
    }

    @Test("Expectations of others are left out, those of all stay")
    func expectations() throws {
        let metrics = { (name: String) in
            try file(name).read(.installed, []).profile.expectations.map(\.metric)
        }
        #expect(try metrics("presents as built") == ["hangs", "request_duration"])
        #expect(try metrics("presents reference").count == 3)
    }

    @Test("A population that there is not is refused, with what there is")
    func unknown() {
        #expect(throws: CommandFailure.self) { try file("presents").read(.installed, []) }
    }
}
