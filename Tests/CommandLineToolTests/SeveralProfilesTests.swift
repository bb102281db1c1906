import Foundation
import SquallFormat
import Testing

@testable import CommandLineTool

@Suite("squall run for machines")
struct SeveralProfilesTests {
    @Test("Several profiles are run one after the other and end in one verdict")
    func several() throws {
        let squall = try PlayedTool()
        try squall.write(PlayedRunner.profile, to: "Profiles/calm.json")
        #expect(squall.run("run", "storm", "calm", "--quiet") == .passed)
        #expect(squall.console.output.hasSuffix("PASSED  2 profiles: 2 passed\n"))
        #expect(try squall.files(in: "Results").contains("calm/seed1-01234567/summary.json"))
        squall.runner.hangs = 3
        #expect(squall.run("run", "storm", "calm", "--quiet") == .failed)
        #expect(squall.console.output.hasSuffix("FAILED  2 profiles: 2 failed\n"))
    }

    @Test("A mistake in any profile is found before the first is run")
    func readFirst() throws {
        let squall = try PlayedTool()
        #expect(squall.run("run", "storm", "stormy") == .usage)
        #expect(squall.console.errors.contains("Did you mean 'storm'?"))
        #expect(squall.console.output.isEmpty)
    }

    @Test("Of several profiles --json prints one list, of one its summary")
    func json() throws {
        let squall = try PlayedTool()
        try squall.write(PlayedRunner.profile, to: "Profiles/calm.json")
        #expect(squall.run("run", "storm", "calm", "--json", "--quiet") == .passed)
        let node = try JSONParser.parse(Array(squall.console.output.utf8))
        guard case .array(let list) = node.value else {
            Issue.record("no list")
            return
        }
        #expect(list.count == 2)
    }

    @Test("JUnit and summary go where they are asked for, with a suite for each profile")
    func files() throws {
        let squall = try PlayedTool()
        try squall.write(PlayedRunner.profile, to: "Profiles/calm.json")
        let words = ["--junit", "ci/report.xml", "--summary", "ci/summary.json", "--quiet"]
        #expect(squall.run(["run", "storm", "calm"] + words) == .passed)
        let junit = try squall.read("ci/report.xml")
        #expect(junit.contains("<testsuite name=\"storm\"") && junit.contains("name=\"calm\""))
        #expect(try squall.read("ci/summary.json").hasPrefix("["))
        #expect(squall.run(["run", "storm"] + words) == .passed)
        #expect(
            try squall.read("ci/summary.json") == squall.read("Results/storm/latest/summary.json"))
    }

    @Test("Without expectations there is no verdict, and that is no failure")
    func noVerdict() throws {
        let squall = try PlayedTool()
        try squall.write(
            PlayedRunner.profile.replacing(#""hangs": ["count==0"]"#, with: ""),
            to: "Profiles/open.json")
        #expect(squall.run("run", "open") == .passed)
        #expect(squall.console.output.hasPrefix("NO VERDICT  open: it has no thresholds"))
    }

    @Test("The text is as wide as the terminal, and progress stays on one line of it")
    func width() throws {
        let squall = try PlayedTool()
        squall.console.terminals = [.output, .error]
        squall.console.columns = 40
        squall.runner.reports = 4
        #expect(squall.run("run", "storm", "--no-color") == .passed)
        #expect(squall.console.output.split(separator: "\n").allSatisfy { $0.count <= 40 })
        let progress = squall.console.errors.split(separator: "\r").filter { $0.contains("%") }
        #expect(!progress.isEmpty && progress.allSatisfy { $0.dropFirst(3).count < 40 })
    }

    @Test(
        "A negative number is told the limits, not that a value is missing",
        arguments: [
            ("--users", "-5", "--users must be 1…"), ("--for", "-5s", "--for must be 1s…"),
        ])
    func negative(option: String, value: String, message: String) throws {
        let squall = try PlayedTool()
        #expect(squall.run("run", "storm", option, value) == .usage)
        #expect(squall.console.errors.contains(message), "\(squall.console.errors)")
        #expect(squall.console.errors.contains("got \(value)"))
    }

    @Test("Standard input is named where a profile can come from it")
    func documented() throws {
        for command in ["run", "validate", "check"] {
            let squall = try PlayedTool()
            _ = squall.run("help", command)
            let words = squall.console.output.split(whereSeparator: \.isWhitespace)
            #expect(words.joined(separator: " ").contains("or - for standard input."))
        }
    }
}
