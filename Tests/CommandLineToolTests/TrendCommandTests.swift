import Foundation
import SquallAnswers
import SquallFormat
import Testing

@testable import CommandLineTool

@Suite("squall trend")
struct TrendCommandTests {
    private static let profile =
        #"{"schemaVersion": 1, "duration": "20s", "#
        + #""populations": [{"users": 6, "journeys": {"read": 1}, "thinkTime": "1s", "#
        + #""arriveOver": "1s"}]}"#

    /// The files of eight releases by their names, each release with a seed of its own; with the
    /// last, tokens live shorter.
    private static let releases = Result {
        let squall = try PlayedTool()
        try squall.write(profile, to: "p.json")
        for number in 1...8 {
            let life = number < 8 ? "1h" : "4s"
            let words = [
                "run", "p.json", "--seed", "\(number)", "--out", "kept/\(number)", "--set",
                "backend.tokens.accessLifetime=\(life)",
            ]
            #expect(squall.play(words) == .passed)
        }
        return try squall.files(in: "kept").filter { $0.contains("seed") && $0.contains(".") }
            .map { (name: "kept/" + $0, text: try squall.read("kept/" + $0)) }
    }

    private func squall(releases: Int = 8) throws -> PlayedTool {
        let squall = try PlayedTool()
        try squall.write(Self.profile, to: "p.json")
        for number in 1...releases {
            let files = try Self.releases.get().filter { $0.name.hasPrefix("kept/\(number)/") }
            for file in files { try squall.write(file.text, to: file.name) }
            let place = squall.folder.appending(path: "kept/\(number)/p")
            let run = try #require(
                FileManager.default.contentsOfDirectory(atPath: place.path()).first)
            try FileManager.default.createSymbolicLink(
                atPath: place.appending(path: "latest").path(), withDestinationPath: run)
        }
        return squall
    }

    @Test("A session of squall serve has no metrics to follow, and is called what it is")
    func session() throws {
        let squall = try PlayedTool()
        try squall.write(#"{"promises": {}, "verdict": "PASSED"}"#, to: "serve/summary.json")
        #expect(squall.run("trend", "serve") == .invalidInput)
        #expect(squall.console.errors.contains("is a session of squall serve"))
    }

    @Test("The release with which a figure changed is named, in text, page and CSV")
    func change() throws {
        let squall = try squall()
        let before = squall.console.output.count
        let words =
            ["trend"] + (1...8).map { "kept/\($0)" } + ["--page", "t.html", "--csv", "t.csv"]
        #expect(squall.run(words) == .passed, "\(squall.console.errors)")
        let text = String(squall.console.output.dropFirst(before))
        #expect(text.contains("With 8, beside the 7 releases before it, "), "\(text)")
        #expect(text.contains("✗ +"))
        #expect(try squall.read("t.html").contains(">5<"))
        let rows = try squall.read("t.csv").split(separator: "\n")
        #expect(rows.count == 9 && rows[0].hasPrefix("release,p: step_duration p(95) [ns]"))
    }

    @Test("A condition on the last release decides, and one that nothing was compared for fails")
    func condition() throws {
        let squall = try squall()
        let all = ["trend"] + (1...8).map { "kept/\($0)" }
        let early = ["trend"] + (1...7).map { "kept/\($0)" }
        #expect(squall.run(all + ["--fail-if", "refreshes count different"]) == .failed)
        #expect(squall.console.output.contains("'refreshes count different' is met: p: "))
        #expect(squall.run(early + ["--fail-if", "refreshes count different"]) == .passed)
        #expect(squall.run(all + ["--fail-if", "hangs count worse"]) == .passed)
        #expect(squall.run(["trend", "kept/1", "--fail-if", "p99 worse"]) == .failed)
        #expect(squall.run(all + ["--fail-if", "p99 awful"]) == .usage)
    }

    @Test("A folder that is no release is named, and so is a figure that no release has")
    func wrong() throws {
        let squall = try squall(releases: 2)
        try squall.write("{}", to: "empty/other.json")
        try squall.write("{}", to: "no.json")
        for (words, message) in [
            (["kept/1", "empty"], "empty has no summary.json, replications.json or capacity.json"),
            (["kept"], "kept has several runs of p"), (["no.json"], "is not a summary"),
            (["kept/1", "--figure", "speed"], "no release has speed"),
            (["nothing.json"], "cannot read"),
        ] {
            let code = squall.run(["trend"] + words)
            #expect(code != .passed && squall.console.errors.contains(message), "\(words)")
        }
    }

    @Test("Replicated runs and capacity searches of releases are read back")
    func ofManyRuns() throws {
        let squall = try PlayedTool()
        try squall.write(Self.profile, to: "p.json")
        let capacity = [
            "capacity", "p.json", "--by", "step_duration: p(95)<2s", "--to", "12", "--for", "20s",
        ]
        for seed in ["1", "2"] {
            for words in [["run", "p.json", "--replications", "2"], capacity] {
                squall.play(words + ["--seed", seed, "--out", "kept/\(seed)"])
            }
        }
        #expect(squall.run("trend", "kept/1", "kept/2") == .passed, "\(squall.console.errors)")
        #expect(squall.console.output.contains("capacity"), "\(squall.console.output)")
    }

    @Test("Replications that name a seed twice are no release and no side of a comparison")
    func seedTwice() throws {
        let squall = try PlayedTool()
        try squall.write(Self.profile, to: "p.json")
        squall.play(["run", "p.json", "--replications", "2", "--out", "kept"])
        let files = try squall.files(in: "kept/p")
        let file = "kept/p/" + (try #require(files.first { $0.hasSuffix("replications.json") }))
        let text = try squall.read(file)
        let seeds = try #require(text.firstMatch(of: #/"seeds" : \[\s*(\d+),\s*(\d+)\s*\]/#))
        let twice = text.replacing(seeds.0, with: #""seeds" : [\#(seeds.1), \#(seeds.1)]"#)
        let answer = try JSONDecoder().decode(ReplicationsAnswer.self, from: Data(twice.utf8))
        try squall.write(JSONDocument.text(Checksummed(answer)), to: file)
        for words in [["trend", "kept"], ["compare", file, file]] {
            #expect(squall.run(words) == .invalidInput)
            #expect(squall.console.errors.contains("/seeds has one of them twice"))
        }
    }

    @Test("A link is followed, and a release of another experiment is named first")
    func links() throws {
        let squall = try squall(releases: 2)
        #expect(squall.run("trend", "kept/1/p/latest", "kept/2/p/latest") == .passed)
        #expect(!squall.console.output.contains("another experiment"))
        let words = ["run", "p.json", "--out", "other", "--users", "3", "--for", "15s"]
        #expect(squall.play(words) == .passed)
        #expect(squall.run("trend", "kept/1", "other") == .passed, "\(squall.console.errors)")
        let text = squall.console.output.split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")
        #expect(text.contains("other ran another experiment of p than the release before it"))
        #expect(text.contains("users: 6 then, 3 now"))
    }

    @Test("A run and the link to it are one release")
    func linkBesideRun() throws {
        let squall = try squall(releases: 2)
        let place = squall.folder.appending(path: "kept/1/p").path()
        let runs = try FileManager.default.contentsOfDirectory(atPath: place).sorted()
        #expect(runs.first == "latest" && runs.count == 2)
        let words = ["trend"] + runs.map { "kept/1/p/\($0)" } + ["kept/2/p/latest"]
        #expect(squall.run(words) == .passed, "\(squall.console.errors)")
        #expect(squall.console.output.contains("2, in the order"))
    }

    @Test(
        "An interrupted run is no release, no side of a comparison and no baseline",
        arguments: [
            ["trend", "kept/1", "kept/2"], ["compare", "kept/1/p/latest", "kept/2/p/latest"],
            ["run", "p.json", "--baseline", "kept/2/p/latest", "--markdown", "m.md"],
        ])
    func interrupted(words: [String]) throws {
        let squall = try squall(releases: 2)
        let files = try squall.files(in: "kept/2/p").filter { !$0.hasPrefix("latest") }
        let summary = "kept/2/p/" + (try #require(files.first { $0.hasSuffix("summary.json") }))
        let text = try squall.read(summary)
        let cut = text.replacing(#""verdict" : "noVerdict""#, with: #""verdict" : "partial""#)
        try #require(cut != text)
        try squall.write(cut, to: summary)
        let manifest = summary.replacing("summary.json", with: "manifest.json")
        try FileManager.default.removeItem(at: squall.console.file(manifest))
        #expect(squall.run(words) == .invalidInput)
        #expect(squall.console.errors.contains("is not whole: interrupted: it ended after"))
        #expect(squall.console.errors.contains("let it run to its end: squall run p.json"))
    }

    @Test("No output replaces what is read, or is written twice")
    func outputs() throws {
        let squall = try PlayedTool()
        #expect(squall.run("run", "storm", "--out", "kept") != .usage)
        let kept = try #require(
            FileManager.default.subpathsOfDirectory(
                atPath: squall.console.file("kept").path(percentEncoded: false)
            ).first { $0.hasSuffix("summary.json") })
        let before = try squall.read("kept/" + kept)
        for words in [
            ["kept/" + kept, "--page", "kept/" + kept], ["kept", "--csv", "kept/" + kept],
            ["kept", "--csv", "t", "--page", "t"],
        ] {
            #expect(squall.run(["trend"] + words) == .usage, "\(words)")
        }
        #expect(try squall.read("kept/" + kept) == before)
    }

    @Test("A capacity.json that is none is refused with what it should be")
    func capacity() throws {
        let squall = try PlayedTool()
        try squall.write("{}", to: "kept/capacity.json")
        #expect(squall.run("trend", "kept") == .invalidInput)
        #expect(squall.console.errors.contains("capacity.json is not a result of squall capacity"))
    }
}
