import Foundation
import SquallFormat
import TestSupport
import Testing

@testable import CommandLineTool

@Suite("Help")
struct HelpTests {
    @Test(
        "The help of every topic is the accepted one and fits 80 columns",
        arguments: [[]]
            + (HelpTopic.all.map(\.name) + Command.all.map(\.name))
            .filter { $0 != "profile" }.map { [$0] })
    func golden(topic: [String]) throws {
        let squall = try PlayedTool()
        #expect(squall.tool.main(["help"] + topic, console: squall.console) == .passed)
        let text = squall.console.output
        let name = (["help"] + topic).joined(separator: "-") + ".txt"
        let differences = try GoldenFile.differences(of: text, from: name)
        #expect(differences == [])
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    @Test("The profile format is explained")
    func profileFormat() throws {
        let squall = try PlayedTool()
        #expect(squall.run("help", "profile") == .passed)
        #expect(squall.console.output.contains("populations[].users · 1…10 000 000 · required"))
    }

    @Test("Help explains a setting with its members, and refuses an unknown path")
    func setting() throws {
        let squall = try PlayedTool()
        #expect(squall.run("help", "profile", "/populations/0/users", "warmUp") == .passed)
        let output = squall.console.output
        #expect(output.hasPrefix("populations[].users · 1…10 000 000 · required\n"))
        #expect(output.contains("\nwarmUp.for · duration"))
        #expect(!output.contains("backend"))
        for (words, hint) in [
            (["profile", "warmup"], "no setting 'warmup'. Did you mean 'warmUp'?"),
            (["profile", "accessLifetime"], "There is backend.tokens.accessLifetime"),
            (["metrics", "steps"], "squall help metrics explains no 'steps'"),
            (["words", "--names"], "behind one of profile, metrics"),
            (["--names"], "behind one of profile, metrics"),
            (["profile", "users", "--names"], "squall help profile --names"),
        ] {
            let squall = try PlayedTool()
            #expect(squall.tool.main(["help"] + words, console: squall.console) == .usage)
            #expect(squall.console.errors.contains(hint), "\(squall.console.errors)")
        }
    }

    @Test("Names for a shell are one a line")
    func names() throws {
        for (topic, name) in [("profile", "warmUp.for"), ("metrics", "step_duration")] {
            let squall = try PlayedTool()
            #expect(squall.run("help", topic, "--names") == .passed)
            #expect(squall.console.output.split(separator: "\n").contains { $0 == name })
        }
    }

    @Test("Every exit code is explained and no two are the same")
    func exitCodes() {
        #expect(
            ExitCode.allCases.map(\.rawValue)
                == [0, 1, 64, 65, 70, 71, 74, 129, 130, 143, 153])
        #expect(ExitCode.allCases.allSatisfy { HelpText.exitCodes.contains($0.summary.prefix(20)) })
    }

    @Test(
        "Bash completes commands, options and nothing else",
        arguments: [
            ("1", "squall ch", ["check"]), ("3", "squall run x --se", ["--seed", "--set"]),
            ("2", "squall completion f", ["fish"]),
            ("4", "squall run x --set pop", ["populations[0].users"]),
            ("4", "squall capacity x --by st", ["step_duration"]),
        ])
    func bashCompletion(position: String, line: String, expected: [String]) throws {
        let words = line.split(separator: " ").map { "'\($0)'" }.joined(separator: " ")
        let script = """
            squall() { [ "$2" = profile ] && echo 'populations[].users' || echo step_duration; }
            \(CompletionScript.bash)
            COMP_WORDS=(\(words)); COMP_CWORD=\(position); _squall; echo "${COMPREPLY[@]}"
            """
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["bash", "-c", script]
        process.standardOutput = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        let text = String(decoding: output, as: UTF8.self).trimmingCharacters(in: .newlines)
        #expect(text == expected.joined(separator: " "))
    }
}

@Suite("Terminal")
struct TerminalTests {
    @Test(
        "Colour only for a person who can see it and has not refused it",
        arguments: [
            ([:], true, false, true), (["TERM": "xterm"], true, false, true),
            (["NO_COLOR": ""], true, false, true), (["NO_COLOR": "1"], true, false, false),
            (["TERM": "dumb"], true, false, false), ([:], false, false, false),
            ([:], true, true, false),
        ] as [([String: String], Bool, Bool, Bool)])
    func colour(
        environment: [String: String], isTerminal: Bool, isForbidden: Bool, isColoured: Bool
    ) {
        let console = PlayedConsole(directory: .temporaryDirectory)
        console.environment = environment
        console.terminals = isTerminal ? [.output] : []
        #expect(console.mayColour(.output, isForbidden: isForbidden) == isColoured)
    }
}
