import Foundation
import Testing

@testable import CommandLineTool

@Suite("squall run <folder>")
struct RepeatedRunTests {
    private static let small =
        #"{"schemaVersion": 1, "seed": 5, // why\#n "duration": "10s", "populations": [{"#
        + #""users": 9, "journeys": {"comment": 1, "read": 2}, "thinkTime": "1s", "#
        + #""arriveOver": "1s"}]}"#

    @Test("A run is repeated from its folder, with what the command line had said")
    func repeats() throws {
        let squall = try squall()
        let words = [
            "run", "p.json", "--users", "4", "--for", "20s", "--set", "drain=1s", "--seed", "8",
        ]
        #expect(squall.play(words) == .passed)
        // What a default says is for other runs.
        squall.console.environment = ["SQUALL_THRESHOLD": "hangs: count==0", "SQUALL_SEED": "9"]
        #expect(squall.play(["run", "Results/p/latest"]) == .passed)
        #expect(squall.console.output.hasSuffix("p/latest: the same bytes again, in 6 files\n"))
        #expect(try !squall.files(in: "Results/p").contains { $0.hasSuffix("-2") })
    }

    @Test("A folder without a run is named as such, and one named like a profile does not hide it")
    func noRun() throws {
        let squall = try PlayedTool()
        try squall.write("", to: "storm/notes.txt")
        #expect(squall.run("run", "storm") == .passed)
        #expect(squall.run("run", "./storm") == .usage)
        #expect(
            squall.console.errors.contains("is a folder without a run: it has no manifest.json"))
    }

    @Test("The folder's profile asks for the same run by itself")
    func profile() throws {
        let squall = try squall()
        squall.play(["run", "p.json", "--users", "4", "--seed", "8"])
        let kept = try squall.read("Results/p/latest/profile.json")
        #expect(
            !kept.contains("//") && kept.contains("\"users\": 4") && kept.contains("\"seed\": 8"))
        // In the file's order, which decides what a random number means.
        let comment = try #require(kept.range(of: "\"comment\"")).lowerBound
        #expect(try #require(kept.range(of: "\"read\"")).lowerBound > comment)
    }

    @Test("A result that differs from its repetition is told by the line")
    func differs() throws {
        let squall = try squall()
        squall.play(["run", "p.json"])
        let csv = try squall.read("Results/p/latest/timeseries.csv")
        let other = csv.replacing("\n0,", with: "\n7,")
        try squall.write(other, to: "Results/p/latest/timeseries.csv")
        // As if the run had written it.
        let manifest = try squall.read("Results/p/latest/manifest.json")
        try squall.write(
            manifest.replacing(
                Version.hash(of: csv.utf8), with: Version.hash(of: other.utf8)),
            to: "Results/p/latest/manifest.json")
        #expect(
            squall.play(["run", "Results/p/latest"]) == .internalError)
        #expect(squall.console.errors.contains("timeseries.csv, line 2"))
    }

    @Test(
        "A result that was changed or taken away is named, by run, compare and report",
        arguments: ["run", "compare", "report"])
    func changed(command: String) throws {
        let squall = try squall()
        squall.play(["run", "p.json"])
        let others = command == "compare" ? ["p.json"] : []
        let summary = try squall.read("Results/p/latest/summary.json")
        try squall.write(
            summary.replacing("\"seed\" : 5", with: "\"seed\" : 6"),
            to: "Results/p/latest/summary.json")
        let words = [command, "Results/p/latest"] + others
        #expect(squall.play(words) == .invalidInput)
        #expect(squall.console.errors.contains("latest/summary.json is not what was written"))
        guard command == "run" else { return }
        try squall.write(summary, to: "Results/p/latest/summary.json")
        try FileManager.default.removeItem(
            at: squall.folder.appending(path: "Results/p/latest/report.html"))
        #expect(squall.play(words) == .invalidInput)
        #expect(squall.console.errors.contains("report.html was among these results and is gone"))
    }

    @Test("A file of arrivals that has changed since is named, and nothing is run")
    func arrivals() throws {
        let squall = try squall()
        try squall.write("1s\n2s\n", to: "log.txt")
        try squall.write(
            #"{"schemaVersion": 1, "duration": "5s", "populations": [{"users": 2, "journeys": "#
                + #"{"read": 1}, "load": {"open": {"spacing": "even", "stages": [{"trace": "#
                + #"{"file": "log.txt"}}]}}}]}"#, to: "q.json")
        squall.play(["run", "q.json"])
        #expect(squall.play(["run", "Results/q/latest"]) == .passed)
        try squall.write("1s\n3s\n", to: "log.txt")
        #expect(
            squall.play(["run", "Results/q/latest"]) == .invalidInput)
        #expect(squall.console.errors.contains("log.txt is not what it was"))
    }

    @Test("An option that would change a repeated run is refused, with the way to change it")
    func options() throws {
        let squall = try squall()
        squall.play(["run", "p.json"])
        let code = squall.play(["run", "Results/p/latest", "--users", "3"])
        #expect(code == .usage && squall.console.errors.contains("latest/profile.json"))
    }

    @Test(
        "However a profile is named, its run has the same bytes",
        arguments: ["p", "Profiles/p.json", "./Profiles/../Profiles/p.json"])
    func names(word: String) throws {
        let squall = try squall()
        try squall.write(Self.small, to: "Profiles/p.json")
        squall.play(["run", "p", "--out", "a"])
        squall.play(["run", word, "--out", "b"])
        for file in try squall.files(in: "a/p/latest/") where file != "manifest.json" {
            #expect(try squall.read("a/p/latest/\(file)") == squall.read("b/p/latest/\(file)"))
        }
    }

    @Test("A run of an absolute path has the same bytes from any folder")
    func folders() throws {
        let squall = try squall()
        let path = squall.folder.appending(path: "p.json").path(percentEncoded: false)
        for folder in ["here", "there/below"] {
            let place = squall.folder.appending(path: folder, directoryHint: .isDirectory)
            let tool = Tool(
                isStrict: false, interruption: squall.interruption, child: squall.child)
            #expect(
                tool.main(["run", path], console: PlayedConsole(directory: place)) == .passed)
        }
        for file in try squall.files(in: "here/Results/p/latest/") where file != "manifest.json" {
            let other = "there/below/Results/p/latest/\(file)"
            #expect(try squall.read("here/Results/p/latest/\(file)") == squall.read(other))
        }
        #expect(
            try squall.read("here/Results/p/latest/summary.json").contains("run \(path) --seed"))
    }

    private func squall() throws -> PlayedTool {
        let squall = try PlayedTool()
        try squall.write(Self.small, to: "p.json")
        return squall
    }
}
