import Foundation
import Testing

@testable import CommandLineTool

@Suite("Commands about profiles")
struct ProfileCommandTests {
    @Test("Every file is checked, good ones are confirmed, bad ones are explained")
    func validate() throws {
        let squall = try PlayedTool()
        try squall.write("{", to: "bad.json")
        #expect(squall.run("validate", "bad.json", "storm") == .invalidInput)
        #expect(
            squall.console.output == "Profiles/storm.json: 400 users · 10m · seed 1 · 1 threshold\n"
        )
        #expect(squall.console.errors.hasPrefix("error: expected a member such as"))
        #expect(squall.run("validate", "storm") == .passed)
        #expect(squall.run("validate", "gone.json", "bad.json") == .inputOutput)
    }

    @Test("Profiles are listed by name with their questions, invalid ones too")
    func list() throws {
        let squall = try PlayedTool()
        try squall.write("{}", to: "Profiles/broken.json")
        #expect(squall.run("profiles") == .passed)
        let output = squall.console.output
        #expect(output.hasPrefix("broken\n    invalid, 2 problems: squall validate broken\n"))
        #expect(output.contains("storm\n    400 users · 10m · seed 1 · 1 threshold\n    Does it"))
        let names = output.split(separator: "\n").prefix { !$0.hasPrefix("races, ") }
            .filter { !$0.hasPrefix(" ") }.map(String.init)
        #expect(
            names == names.sorted() && Set(names).isSuperset(of: BuiltInFile.profiles.map(\.name)))
    }

    @Test("Without a folder of profiles those of the program are listed")
    func noProfiles() throws {
        let squall = try PlayedTool()
        try FileManager.default.removeItem(at: squall.folder.appending(path: "Profiles"))
        #expect(squall.run("profiles") == .passed)
        #expect(squall.console.output.contains("\nquick\n") && squall.console.errors.isEmpty)
    }

    @Test(
        "A command that refuses its operand names what would be right",
        arguments: [
            (["replay", "Profiles"], "Profiles is a folder; name a finding"),
            (["replay", "Profiles/a.json"], "is neither a finding, as in Results/…/findings, nor"),
            (["replay", "Profiles/b.json"], "b.json is a profile, which squall run plays"),
            (["fit", "Profiles/b.json"], "which squall run plays; squall fit takes"),
            (["trend", "Profiles/b.json"], "b.json is a profile, which squall run plays; give"),
            (["fit", "Profiles/c.yaml"], "c.yaml is an API's document, which squall"),
            (["sweep", "storm", "--vary", "users=1,,2"], "'' is none"),
            (
                ["run", "quick", "--set", "load.user=5"],
                "load.user is not a setting. Did you mean 'populations[0].users'?"
            ), (["merge", "Profiles"], "Profiles is not a part written by --shard"),
            (["apps", "scrolly", "ootd", "--page", "a.html"], "and 2 were asked for; name one"),
            (
                ["new", "a.json", "--openapi", "o.json", "--service", "auth0"],
                "--service and --openapi exclude each other"
            ),
            (
                [
                    "serve", "storm", "--virtual", "--schedules", "2", "--session", "s", "--",
                    "true",
                ], "--session keeps one session"
            ),
            (["apps", "foo"], "Known: scrolly, thisBookThatBook, shareD, ootd, presets."),
            (
                ["run", "quick", "--threshold", "stps: count<1"],
                "Did you mean 'steps'? squall help metrics lists all of them"
            ), (["run", "quick", "--threshold", "hangs: count<-1"], "'-1' must be 0 or more"),
            (
                ["explore", "outfit-gap", "--deviations", "1", "--strategy", "pct"],
                "--deviations plays every schedule up to a bound, so --strategy has no meaning"
            ),
        ])
    func refusals(words: [String], way: String) throws {
        let squall = try PlayedTool()
        try squall.write("{}", to: "Profiles/a.json")
        try squall.write("// users\n{ \"populations\": [] }", to: "Profiles/b.json")
        try squall.write("openapi: 3.0.3\npaths: {}\n", to: "Profiles/c.yaml")
        #expect(squall.run(words) != .passed)
        #expect(squall.console.errors.contains(way), "\(squall.console.errors)")
    }

    @Test(
        "A schema is one JSON document",
        arguments: [(["schema"], "profile"), (["schema", "summary"], "run summary")])
    func schema(words: [String], title: String) throws {
        let squall = try PlayedTool()
        #expect(squall.run(words) == .passed)
        let data = Data(squall.console.output.utf8)
        let schema = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        #expect(schema?["title"] as? String == "Squall \(title)")
    }

    @Test("A finding that needs a fault names the fault, and its timeline marks it")
    func neededFault() throws {
        let squall = try PlayedTool()
        try squall.write(
            #"""
            { "schemaVersion": 1, "duration": "1m",
              "apps": [{ "name": "mine", "tokens": { "forgets": ["refreshLost"] },
                "screens": [{ "name": "home", "calls": [["me"]] }],
                "journeys": [{ "name": "read", "steps": ["home"] }] }],
              "populations": [{ "app": "mine", "journeys": { "read": 1 }, "users": 1,
                "initialTokens": "expired" }],
              "backend": { "network": { "timeout": "5s" },
                "service": { "endpoints": [{ "name": "me", "path": "/me" }] },
                "faults": [{ "kind": "dropAnswer", "at": "0s", "endpoints": ["refresh"] }] },
              "explore": { "drawFaults": true, "deviations": 1,
                "acts": [{ "do": "step", "what": "read.home" }] } }
            """#, to: "fault.json")
        #expect(squall.run("explore", "fault.json") == .failed)
        let output = squall.console.output
        #expect(output.contains("the fault that matters: dropAnswer\n"))
        #expect(!output.contains("strikes not"))
        let marked = output.split(separator: "\n").filter { $0.hasPrefix("▶ 0s") }
        #expect(Set(marked.map { $0.hasSuffix("dropAnswer") }) == [true])
    }
}
