import Foundation
import Testing

@testable import CommandLineTool

@Suite("Commands of many runs")
struct PlanningCommandTests {
    private let files = ["replications.json", "figures.csv", "report.html"]

    /// The answer's files of replications that were kept under a folder.
    private func answer(_ squall: PlayedTool, in out: String) throws -> [String] {
        let names = try FileManager.default.contentsOfDirectory(
            atPath: squall.folder.appending(path: "\(out)/storm").path(percentEncoded: false))
        let folder = try #require(names.filter { $0.hasPrefix("replications-") }.max())
        return try files.map { try squall.read("\(out)/storm/\(folder)/\($0)") }
    }

    private func runShard(_ squall: PlayedTool, _ index: Int, of count: Int) -> ExitCode {
        squall.run(
            "run", "storm", "--replications", "5", "--shard", "\(index)/\(count)", "--out", "parts")
    }

    private func parts(_ count: Int) -> [String] {
        (1...count).map { "parts/storm/run-part-\($0)-of-\(count)" }
    }

    @Test("Replications have an answer with intervals, and are repeated by one command")
    func replications() throws {
        let squall = try PlayedTool()
        #expect(squall.run("run", "storm", "--replications", "5", "--users", "40") == .passed)
        #expect(squall.console.output.contains("5 replications every threshold holds"))
        #expect(
            squall.console.output.hasSuffix(
                "repeat: squall run storm --users 40 --replications 5\n"))
    }

    @Test("The uncertainty of a fit is drawn on request, and only where a profile has it")
    func fitted() throws {
        let squall = try PlayedTool()
        for words in [
            ["capacity", "storm"], ["run", "storm", "--replications", "3"],
            ["sweep", "storm", "--vary", "users=10,20"],
            ["compare", "storm", "--with", "duration=2m"],
        ] {
            #expect(squall.run(words + ["--fitted-uncertainty"]) == .usage)
            #expect(squall.console.errors.contains("fit LOG -o FILE"))
        }
        let unsure = PlayedRunner.profile.replacing(
            #""thresholds""#, with: #""fitted": { "duration": [0.9, 1.1] }, "thresholds""#)
        try squall.write(unsure, to: "Profiles/unsure.json")
        #expect(squall.run("run", "unsure", "--fitted-uncertainty") == .usage)
        let words = ["run", "unsure", "--replications", "3", "--fitted-uncertainty"]
        #expect(squall.run(words) == .passed)
        #expect(squall.console.output.contains("drawn anew for each replication"))
        #expect(squall.console.output.contains("repeat: squall \(words.joined(separator: " "))\n"))
    }

    @Test("A finding that fails no single run fails no replications either")
    func findings() throws {
        let squall = try PlayedTool()
        let calm = PlayedRunner.profile.replacing(
            #""hangs": ["count==0"]"#, with: #""hangs": ["count<9"]"#)
        try squall.write(calm, to: "Profiles/calm.json")
        squall.runner.hangs = 1
        #expect(squall.run("run", "calm") == .passed)
        #expect(squall.run("run", "calm", "--replications", "3") == .passed)
        #expect(squall.console.output.contains("PASSED WITH FINDINGS  Replications of calm\n"))
        #expect(squall.console.output.contains("· steps that never ended (step.hung) in"))
        #expect(squall.run("run", "storm", "calm", "--quiet") == .failed)
        try squall.write(calm, to: "Profiles/still.json")
        #expect(squall.run("run", "still", "calm", "--quiet") == .passed)
        #expect(
            squall.console.output.hasSuffix(
                "PASSED WITH FINDINGS  2 profiles: 2 passed with findings\n"))
        #expect(squall.console.output.contains("step.hung) in 3 of 3 replications\n"))
    }

    @Test("Parts put together are byte for byte what one machine finds", arguments: [1, 2, 7])
    func merge(count: Int) throws {
        let squall = try PlayedTool()
        #expect(squall.run("run", "storm", "--replications", "5", "--out", "one") == .passed)
        for index in 1...count { #expect(runShard(squall, index, of: count) == .passed) }
        let words = ["merge"] + parts(count) + ["--out", "merged"]
        #expect(squall.run(words) == .passed)
        #expect(try answer(squall, in: "one") == answer(squall, in: "merged"))
    }

    @Test("A part that was lost is named, and repeated alone")
    func lost() throws {
        let squall = try PlayedTool()
        for index in [1, 3] { _ = runShard(squall, index, of: 3) }
        let there = [parts(3)[0], parts(3)[2]]
        #expect(squall.run(["merge"] + there) == .invalidInput)
        #expect(squall.console.errors.contains("missing: 2; run them with squall run storm"))
        _ = runShard(squall, 2, of: 3)
        #expect(squall.run(["merge"] + parts(3)) == .passed)
    }

    @Test("Replications finished before a stop are kept, and the same command goes on from them")
    func stopped() throws {
        let squall = try PlayedTool()
        let interruption = squall.interruption
        squall.runner.beforeReport = { interruption.request() }
        #expect(
            squall.run("run", "storm", "--replications", "3", "--threads", "1") == .interrupted)
        #expect(squall.console.errors.contains("the same command goes on from them"))
    }

    @Test(
        "A command that cannot be sharded or planned is refused with the way out",
        arguments: [
            (["run", "storm", "--shard", "1/2"], "--shard is for --replications"),
            (
                ["run", "storm", "--replications", "auto", "--shard", "1/2"],
                "give --replications a"
            ),
            (["run", "storm", "--replications", "2", "--shard", "3/2"], "1 ≤ i ≤ n"),
            (["capacity", "storm", "--shard", "1/2"], "--grid low..high/n"),
            (["capacity", "storm", "--vary", "rate"], "needs a load of arriving sessions"),
            (["capacity", "storm", "--vary", "backend.server.wokers"], "workers"),
            (["capacity", "storm", "--vary", "foo"], "(--vary foo, /foo)"),
            (["capacity", "storm", "--vary", "backend.server.workers"], "--find smallest"),
            (["capacity", "storm", "--find", "smallest", "--at-least", "2"], "leave out --find"),
            (["capacity", "storm", "--by", "foo: count==0"], "(--by 'foo: count==0', "),
            (
                ["sweep", "storm", "--vary", "populations[0].design=asBuilt,reference"],
                "squall compare --with populations[0].design=…"
            ),
            (
                [
                    "sweep", "storm", "--vary", "users=100..100000/1000", "--vary",
                    "duration=1m..9m/1000",
                ], "places is too large"
            ),
            (["compare", "storm"], "needs a second profile"),
            (["compare", "storm", "--with", "duration=2m", "--fail-if", "p99"], "'p99 worse'"),
            (["compare", "storm", "--with", "seed=2"], "both sides run with the same seeds"),
            (["sweep", "storm", "--vary", "users"], "users=100..1000/10"),
            (["plan", "--slurm", "--", "check", "quick"], "can be split into parts"),
            (["plan", "quick", "--slurm"], "squall plan --slurm -- run quick"),
            (["plan", "--slurm", "--", "drive", "storm"], "drive needs the server in the command"),
            (["plan", "run", "quick"], "one of --slurm, --parallel, --kubernetes"),
        ])
    func refused(words: [String], way: String) throws {
        let squall = try PlayedTool()
        #expect(squall.run(words) == .usage)
        #expect(squall.console.errors.contains(way), "\(squall.console.errors)")
    }

    @Test(
        "A job file runs every part",
        arguments: [
            ("--slurm", "squall-run.sbatch", "#SBATCH --array=1-4"),
            ("--parallel", "squall-run.parallel.sh", "::: $(seq 1 4)"),
            ("--kubernetes", "squall-run.job.yaml", "completions: 4"),
        ])
    func jobs(option: String, file: String, line: String) throws {
        let squall = try PlayedTool()
        let words = ["plan", option, "--shards", "4", "--", "run", "storm", "--replications", "9"]
        #expect(squall.run(words) == .passed)
        #expect(try squall.read(file).contains(line))
    }

    @Test("A sweep of two settings runs each place and draws a map")
    func sweep() throws {
        let squall = try PlayedTool()
        let words = ["sweep", "storm", "--vary", "users=40,80", "--vary", "duration=1m,2m,3m"]
        #expect(squall.run(words + ["--figure", "hangs", "--replications", "2"]) == .passed)
        #expect(squall.console.output.contains("points: 6"))
        #expect(squall.console.output.contains("users \\ duration"))
    }

    @Test("The values of a grid are tried in their order, each once, however they are listed")
    func unsortedGrid() throws {
        let squall = try PlayedTool()
        let words = ["capacity", "storm", "--grid", "300,40,300,80", "--json"]
        #expect(squall.run(words) == .passed)
        let sorted = try PlayedTool()
        #expect(sorted.run(["capacity", "storm", "--grid", "40,80,300", "--json"]) == .passed)
        let (one, other) = (squall.console.output, sorted.console.output)
        #expect(one.replacing("300,40,300,80", with: "40,80,300") == other)
    }

    @Test("A kept result is compared with a profile that runs with its seeds")
    func baseline() throws {
        let squall = try PlayedTool()
        _ = squall.run("run", "storm", "--replications", "4", "--seed", "7", "--out", "base")
        let names = try squall.files(in: "base/storm").filter { $0.hasSuffix("replications.json") }
        let file = try #require(names.first)
        let words = ["compare", "base/storm/\(file)", "storm", "--fail-if", "hangs worse"]
        #expect(squall.run(words) == .passed)
        #expect(squall.console.output.contains("seeds for each side: 4"))
    }

    @Test(
        "A value that no profile can have is refused with what it may be",
        arguments: [
            ("users=0", "must be at least 2, one for each population, got 0"),
            ("users=1,2", "must be at least 2, one for each population, got 1"),
            ("users=9223372036854775807", "must be at most 10 000 000"),
        ])
    func extremes(vary: String, words: String) throws {
        let squall = try PlayedTool()
        #expect(squall.run("sweep", "storm", "--vary", vary) == .usage)
        #expect(squall.console.errors.contains(words))
    }

    @Test(
        "A kept result that lost a value, or has a number that no run comes to, is refused",
        arguments: [
            ("\"values\" : [\n        ", "\"values\" : [\n        7,\n        "),
            ("\"values\" : [\n        ", "\"values\" : [\n        1e300,\n        "),
        ])
    func damaged(old: String, new: String) throws {
        let squall = try PlayedTool()
        #expect(
            squall.run("run", "storm", "--replications", "3", "--users", "40", "--out", "base")
                == .passed)
        let folder = try #require(
            try squall.files(in: "base/storm").first { $0.hasSuffix("/replications.json") })
        let text = try squall.read("base/storm/\(folder)")
        let damaged = text.replacing(old, with: new)
        #expect(damaged != text)
        try squall.write(damaged, to: "bad/replications.json")
        #expect(squall.run("compare", "base/storm/\(folder)", "bad") == .invalidInput)
        #expect(squall.console.errors.contains("is not a result that this version reads"))
    }
}
