import Foundation
import Testing

@testable import CommandLineTool

@Suite("Profiles that a stranger wrote")
struct UntrustedProfileTests {
    @Test(
        "No control character of a profile reaches the terminal",
        arguments: [
            #"{"schemaVersion": 1, "\u001b[2Jkey": 1}"#,
            "{\"schemaVersion\": \u{1b}[31m}", "{\"schemaVersion\": 1, \"seed\": \"\u{202e}12\"}",
            #"{"schemaVersion": 1, "duration": "\u0007 1s"}"#,
            #"{"schemaVersion": 1, "populations": [{"app": "\u202escrolly"}]}"#,
            #"{"schemaVersion": 1, "thresholds": {"hangs": ["count\u009b==0"]}}"#,
        ])
    func control(profile: String) throws {
        let squall = try PlayedTool()
        try squall.write(profile, to: "odd.json")
        #expect(squall.run("validate", "odd.json") == .invalidInput)
        let obeyed = squall.console.errors.unicodeScalars.filter {
            ($0.value < 0x20 && $0 != "\n") || (0x7f...0x9f).contains($0.value)
                || (0x202a...0x202e).contains($0.value)
        }
        #expect(obeyed.isEmpty && !squall.console.errors.isEmpty)
    }

    @Test("Of a hundred thousand mistakes the first are told, and how many others there are")
    func manyMistakes() throws {
        let squall = try PlayedTool()
        let keys = (0..<60_000).map { "\"key\($0)\": 1" }.joined(separator: ",")
        try squall.write("{\"schemaVersion\": 1, \(keys)}", to: "odd.json")
        #expect(squall.run("validate", "odd.json") == .invalidInput)
        #expect(squall.console.errors.utf8.count < 100_000)
        #expect(squall.console.errors.contains("other problem"))
    }

    @Test("A long text is quoted by its beginning only")
    func longText() throws {
        let squall = try PlayedTool()
        let word = String(repeating: "x", count: 500_000)
        try squall.write(
            "{\"schemaVersion\": 1, \"seed\": \"\(word)\", \"\(word)\": 1}", to: "odd.json")
        #expect(squall.run("validate", "odd.json") == .invalidInput)
        #expect(squall.console.errors.utf8.count < 5_000)
    }

    @Test(
        "A file of arrivals lies beside or below the profile, unless it is said that it need not",
        arguments: ["../secret.txt", "/etc/hostname", "below/../../secret.txt", "link.txt"])
    func outside(path: String) throws {
        let squall = try PlayedTool()
        squall.runner = PlayedRunner()
        try squall.write("secret 1s\n", to: "secret.txt")
        try squall.write(arrivals(from: path), to: "in/p.json")
        try FileManager.default.createSymbolicLink(
            at: squall.folder.appending(path: "in/link.txt"),
            withDestinationURL: squall.folder.appending(path: "secret.txt"))
        #expect(squall.play(["validate", "in/p.json"]) == .invalidInput)
        #expect(squall.console.errors.contains("is not beside or below the profile in/p.json"))
        #expect(!squall.console.errors.contains("secret 1s"))
    }

    @Test("A file of arrivals below the profile is read, and quoted by a short piece when wrong")
    func below() throws {
        let squall = try PlayedTool()
        try squall.write("1s\n2s\n", to: "in/below/log.txt")
        try squall.write(arrivals(from: "below/log.txt"), to: "in/p.json")
        #expect(
            squall.play(["validate", "in/p.json"]) == .passed)
        let secret = "root:x:0:0:\u{1b}[31m" + String(repeating: "secret", count: 100)
        try squall.write(secret, to: "in/below/log.txt")
        #expect(
            squall.play(["validate", "in/p.json"])
                == .invalidInput)
        #expect(squall.console.errors.utf8.count < 300)
        #expect(!squall.console.errors.contains("\u{1b}"))
    }

    @Test("A file of arrivals that is missing is told of with the line and the key path")
    func missing() throws {
        let squall = try PlayedTool()
        try squall.write(arrivals(from: "gone.txt"), to: "in/p.json")
        let code = squall.play(["validate", "in/p.json"])
        #expect(code == .inputOutput)
        #expect(squall.console.errors.contains("gone.txt"))
        #expect(
            squall.console.errors.contains("(in/p.json:2:")
                && squall.console.errors.contains("/populations/0/load/open/stages/0/trace/file)"),
            "\(squall.console.errors)")
    }

    @Test("--allow-outside lets a file of arrivals lie anywhere")
    func allowed() throws {
        let squall = try PlayedTool()
        try squall.write("1s\n", to: "elsewhere.txt")
        try squall.write(arrivals(from: "../elsewhere.txt"), to: "in/p.json")
        #expect(
            squall.play(["validate", "in/p.json", "--allow-outside"]) == .passed)
    }

    @Test(
        "Every command that takes a profile reads it with files of arrivals from anywhere",
        arguments: [
            ["run"], ["run", "--replications", "2"],
            ["explore", "--schedules", "1"], ["compare", "--with", "duration=9s"],
            ["capacity", "--by", "hangs: count==0", "--to", "2"],
            ["sweep", "--vary", "seed=1,2", "--replications", "1"],
        ])
    func everywhere(words: [String]) throws {
        let line = [words[0], "in/p.json"] + words.dropFirst() + ["--set", "duration=3s"]
        #expect(try errors(of: line).contains("is not beside or below"))
        #expect(try !errors(of: line + ["--allow-outside"]).contains("is not beside or below"))
    }

    /// What is said about a profile whose arrivals lie outside its folder.
    private func errors(of line: [String]) throws -> String {
        let squall = try PlayedTool()
        try squall.write("1s\n", to: "elsewhere.txt")
        try squall.write(arrivals(from: "../elsewhere.txt"), to: "in/p.json")
        squall.play(line)
        return squall.console.errors
    }

    private func arrivals(from path: String) -> String {
        """
        {"schemaVersion": 1, "populations": [{"users": 1, "journeys": {"read": 1}, "load":
          {"open": {"spacing": "even", "stages": [{"trace": {"file": "\(path)"}}]}}}]}
        """
    }
}
