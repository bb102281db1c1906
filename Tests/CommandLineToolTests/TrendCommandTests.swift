import Foundation
import SquallAnswers
import SquallFormat
import SquallLab
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
        let stage = try PlayedTool()
        try stage.write(profile, to: "p.json")
        for number in 1...8 {
            let life = number < 8 ? "1h" : "4s"
            let words = [
                "run", "p.json", "--seed", "\(number)", "--out", "kept/\(number)", "--set",
                "backend.tokens.accessLifetime=\(life)",
            ]
            #expect(stage.play(words) == .passed)
        }
        return try stage.files(in: "kept").filter { $0.contains("seed") && $0.contains(".") }
            .map { (name: "kept/" + $0, text: try stage.read("kept/" + $0)) }
    }

    private func stage(releases: Int = 8) throws -> PlayedTool {
        let stage = try PlayedTool()
        try stage.write(Self.profile, to: "p.json")
        for number in 1...releases {
            let files = try Self.releases.get().filter { $0.name.hasPrefix("kept/\(number)/") }
            for file in files { try stage.write(file.text, to: file.name) }
            let place = stage.folder.appending(path: "kept/\(number)/p")
            let run = try #require(
                FileManager.default.contentsOfDirectory(atPath: place.path()).first)
            try FileManager.default.createSymbolicLink(
                atPath: place.appending(path: "latest").path(), withDestinationPath: run)
        }
        return stage
    }

    @Test("A session of squall serve has no metrics to follow, and is called what it is")
    func session() throws {
        let stage = try PlayedTool()
        try stage.write(#"{"promises": {}, "verdict": "PASSED"}"#, to: "serve/summary.json")
        #expect(stage.run("trend", "serve") == .invalidInput)
        #expect(stage.console.errors.contains("is a session of squall serve"))
    }

    @Test("The release with which a figure changed is named, in text, page and CSV")
    func change() throws {
        let stage = try stage()
        let before = stage.console.output.count
        let words =
            ["trend"] + (1...8).map { "kept/\($0)" } + ["--page", "t.html", "--csv", "t.csv"]
        #expect(stage.run(words) == .passed, "\(stage.console.errors)")
        let text = String(stage.console.output.dropFirst(before))
        #expect(text.contains("With 8, beside the 7 releases before it, "), "\(text)")
        #expect(text.contains("✗ +"))
        #expect(try stage.read("t.html").contains(">5<"))
        let rows = try stage.read("t.csv").split(separator: "\n")
        #expect(rows.count == 9 && rows[0].hasPrefix("release,p: step_duration p(95) [ns]"))
    }

    @Test("A condition on the last release decides, and one that nothing was compared for fails")
    func condition() throws {
        let stage = try stage()
        let all = ["trend"] + (1...8).map { "kept/\($0)" }
        let early = ["trend"] + (1...7).map { "kept/\($0)" }
        #expect(stage.run(all + ["--fail-if", "refreshes count different"]) == .failed)
        #expect(stage.console.output.contains("'refreshes count different' is met: p: "))
        #expect(stage.run(early + ["--fail-if", "refreshes count different"]) == .passed)
        #expect(stage.run(all + ["--fail-if", "hangs count worse"]) == .passed)
        #expect(stage.run(["trend", "kept/1", "--fail-if", "p99 worse"]) == .failed)
        #expect(stage.run(all + ["--fail-if", "p99 awful"]) == .usage)
    }

    @Test("A folder that is no release is named, and so is a figure that no release has")
    func wrong() throws {
        let stage = try stage(releases: 2)
        try stage.write("{}", to: "empty/other.json")
        try stage.write("{}", to: "no.json")
        for (words, message) in [
            (["kept/1", "empty"], "empty has no summary.json, replications.json or capacity.json"),
            (["kept"], "kept has several runs of p"), (["no.json"], "is not a summary"),
            (["kept/1", "--figure", "speed"], "no release has speed"),
            (["nothing.json"], "cannot read"),
        ] {
            let code = stage.run(["trend"] + words)
            #expect(code != .passed && stage.console.errors.contains(message), "\(words)")
        }
    }

    @Test("Replicated runs and capacity searches of releases are read back")
    func ofManyRuns() throws {
        let stage = try PlayedTool()
        try stage.write(Self.profile, to: "p.json")
        let capacity = [
            "capacity", "p.json", "--by", "step_duration: p(95)<2s", "--to", "12", "--for", "20s",
        ]
        for seed in ["1", "2"] {
            for words in [["run", "p.json", "--replications", "2"], capacity] {
                stage.play(words + ["--seed", seed, "--out", "kept/\(seed)"])
            }
        }
        #expect(stage.run("trend", "kept/1", "kept/2") == .passed, "\(stage.console.errors)")
        #expect(stage.console.output.contains("capacity"), "\(stage.console.output)")
    }

    @Test("Replications that name a seed twice are no release and no side of a comparison")
    func seedTwice() throws {
        let stage = try PlayedTool()
        try stage.write(Self.profile, to: "p.json")
        stage.play(["run", "p.json", "--replications", "2", "--out", "kept"])
        let files = try stage.files(in: "kept/p")
        let file = "kept/p/" + (try #require(files.first { $0.hasSuffix("replications.json") }))
        let text = try stage.read(file)
        let seeds = try #require(text.firstMatch(of: #/"seeds" : \[\s*(\d+),\s*(\d+)\s*\]/#))
        let twice = text.replacing(seeds.0, with: #""seeds" : [\#(seeds.1), \#(seeds.1)]"#)
        let answer = try JSONDecoder().decode(ReplicationsAnswer.self, from: Data(twice.utf8))
        try stage.write(JSONDocument.text(Checksummed(answer)), to: file)
        for words in [["trend", "kept"], ["compare", file, file]] {
            #expect(stage.run(words) == .invalidInput)
            #expect(stage.console.errors.contains("/seeds has one of them twice"))
        }
    }

    @Test("A link is followed, and a release of another experiment is named first")
    func links() throws {
        let stage = try stage(releases: 2)
        #expect(stage.run("trend", "kept/1/p/latest", "kept/2/p/latest") == .passed)
        #expect(!stage.console.output.contains("another experiment"))
        let words = ["run", "p.json", "--out", "other", "--users", "3", "--for", "15s"]
        #expect(stage.play(words) == .passed)
        #expect(stage.run("trend", "kept/1", "other") == .passed, "\(stage.console.errors)")
        let text = stage.console.output.split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")
        #expect(text.contains("other ran another experiment of p than the release before it"))
        #expect(text.contains("users: 6 then, 3 now"))
    }

    @Test("A run and the link to it are one release")
    func linkBesideRun() throws {
        let stage = try stage(releases: 2)
        let place = stage.folder.appending(path: "kept/1/p").path()
        let runs = try FileManager.default.contentsOfDirectory(atPath: place).sorted()
        #expect(runs.first == "latest" && runs.count == 2)
        let words = ["trend"] + runs.map { "kept/1/p/\($0)" } + ["kept/2/p/latest"]
        #expect(stage.run(words) == .passed, "\(stage.console.errors)")
        #expect(stage.console.output.contains("2, in the order"))
    }

    @Test(
        "An interrupted run is no release, no side of a comparison and no baseline",
        arguments: [
            ["trend", "kept/1", "kept/2"], ["compare", "kept/1/p/latest", "kept/2/p/latest"],
            ["run", "p.json", "--baseline", "kept/2/p/latest", "--markdown", "m.md"],
        ])
    func interrupted(words: [String]) throws {
        let stage = try stage(releases: 2)
        let files = try stage.files(in: "kept/2/p").filter { !$0.hasPrefix("latest") }
        let summary = "kept/2/p/" + (try #require(files.first { $0.hasSuffix("summary.json") }))
        let text = try stage.read(summary)
        let cut = text.replacing(#""verdict" : "noVerdict""#, with: #""verdict" : "partial""#)
        try #require(cut != text)
        try stage.write(cut, to: summary)
        let manifest = summary.replacing("summary.json", with: "manifest.json")
        try FileManager.default.removeItem(at: stage.console.file(manifest))
        #expect(stage.run(words) == .invalidInput)
        #expect(stage.console.errors.contains("is not whole: interrupted: it ended after"))
        #expect(stage.console.errors.contains("let it run to its end: squall run p.json"))
    }

    @Test("No output replaces what is read, or is written twice")
    func outputs() throws {
        let stage = try PlayedTool()
        #expect(stage.run("run", "storm", "--out", "kept") != .usage)
        let kept = try #require(
            FileManager.default.subpathsOfDirectory(
                atPath: stage.console.file("kept").path(percentEncoded: false)
            ).first { $0.hasSuffix("summary.json") })
        let before = try stage.read("kept/" + kept)
        for words in [
            ["kept/" + kept, "--page", "kept/" + kept], ["kept", "--csv", "kept/" + kept],
            ["kept", "--csv", "t", "--page", "t"],
        ] {
            #expect(stage.run(["trend"] + words) == .usage, "\(words)")
        }
        #expect(try stage.read("kept/" + kept) == before)
    }

    @Test("A capacity.json that is none is refused with what it should be")
    func capacity() throws {
        let stage = try PlayedTool()
        try stage.write("{}", to: "kept/capacity.json")
        #expect(stage.run("trend", "kept") == .invalidInput)
        #expect(stage.console.errors.contains("capacity.json is not a result of squall capacity"))
    }
}
