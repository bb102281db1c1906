import Foundation
import SquallFormat
import Testing

@testable import CommandLineTool

@Suite("squall run for machines")
struct SeveralProfilesTests {
    @Test("Several profiles are run one after the other and end in one verdict")
    func several() throws {
        let stage = try PlayedTool()
        try stage.write(PlayedRunner.profile, to: "Profiles/calm.json")
        #expect(stage.run("run", "storm", "calm", "--quiet") == .passed)
        #expect(stage.console.output.hasSuffix("PASSED  2 profiles: 2 passed\n"))
        #expect(try stage.files(in: "Results").contains("calm/seed1-01234567/summary.json"))
        stage.runner.hangs = 3
        #expect(stage.run("run", "storm", "calm", "--quiet") == .failed)
        #expect(stage.console.output.hasSuffix("FAILED  2 profiles: 2 failed\n"))
    }

    @Test("A mistake in any profile is found before the first is run")
    func readFirst() throws {
        let stage = try PlayedTool()
        #expect(stage.run("run", "storm", "stormy") == .usage)
        #expect(stage.console.errors.contains("Did you mean 'storm'?"))
        #expect(stage.console.output.isEmpty)
    }

    @Test("Of several profiles --json prints one list, of one its summary")
    func json() throws {
        let stage = try PlayedTool()
        try stage.write(PlayedRunner.profile, to: "Profiles/calm.json")
        #expect(stage.run("run", "storm", "calm", "--json", "--quiet") == .passed)
        let node = try JSONParser.parse(Array(stage.console.output.utf8))
        guard case .array(let list) = node.value else {
            Issue.record("no list")
            return
        }
        #expect(list.count == 2)
    }

    @Test("JUnit and summary go where they are asked for, with a suite for each profile")
    func files() throws {
        let stage = try PlayedTool()
        try stage.write(PlayedRunner.profile, to: "Profiles/calm.json")
        let words = ["--junit", "ci/report.xml", "--summary", "ci/summary.json", "--quiet"]
        #expect(stage.run(["run", "storm", "calm"] + words) == .passed)
        let junit = try stage.read("ci/report.xml")
        #expect(junit.contains("<testsuite name=\"storm\"") && junit.contains("name=\"calm\""))
        #expect(try stage.read("ci/summary.json").hasPrefix("["))
        #expect(stage.run(["run", "storm"] + words) == .passed)
        #expect(
            try stage.read("ci/summary.json") == stage.read("Results/storm/latest/summary.json"))
    }

    @Test("Without expectations there is no verdict, and that is no failure")
    func noVerdict() throws {
        let stage = try PlayedTool()
        try stage.write(
            PlayedRunner.profile.replacing(#""hangs": ["count==0"]"#, with: ""),
            to: "Profiles/open.json")
        #expect(stage.run("run", "open") == .passed)
        #expect(stage.console.output.hasPrefix("NO VERDICT  open: it has no thresholds"))
    }

    @Test("The text is as wide as the terminal, and progress stays on one line of it")
    func width() throws {
        let stage = try PlayedTool()
        stage.console.terminals = [.output, .error]
        stage.console.columns = 40
        stage.runner.reports = 4
        #expect(stage.run("run", "storm", "--no-color") == .passed)
        #expect(stage.console.output.split(separator: "\n").allSatisfy { $0.count <= 40 })
        let progress = stage.console.errors.split(separator: "\r").filter { $0.contains("%") }
        #expect(!progress.isEmpty && progress.allSatisfy { $0.dropFirst(3).count < 40 })
    }

    @Test(
        "A negative number is told the limits, not that a value is missing",
        arguments: [
            ("--users", "-5", "--users must be 1…"), ("--for", "-5s", "--for must be 1s…"),
        ])
    func negative(option: String, value: String, message: String) throws {
        let stage = try PlayedTool()
        #expect(stage.run("run", "storm", option, value) == .usage)
        #expect(stage.console.errors.contains(message), "\(stage.console.errors)")
        #expect(stage.console.errors.contains("got \(value)"))
    }

    @Test("Standard input is named where a profile can come from it")
    func documented() throws {
        for command in ["run", "validate", "check"] {
            let stage = try PlayedTool()
            _ = stage.run("help", command)
            let words = stage.console.output.split(whereSeparator: \.isWhitespace)
            #expect(words.joined(separator: " ").contains("or - for standard input."))
        }
    }
}
