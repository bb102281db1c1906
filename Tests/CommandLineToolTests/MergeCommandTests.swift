import Foundation
import SquallAnswers
import SquallFormat
import SquallLab
import Testing

@testable import CommandLineTool

@Suite("squall merge of parts that nobody vouches for")
struct MergeCommandTests {
    private static let words = ["run", "storm", "--replications", "4"]

    /// A stage on which both parts of a plan have run.
    private func stage() throws -> PlayedTool {
        let stage = try PlayedTool()
        for part in 1...2 {
            let words = Self.words + ["--shard", "\(part)/2", "--out", "parts"]
            try #require(stage.run(words) == .passed)
        }
        return stage
    }

    private func folder(_ part: Int) -> String { "parts/storm/run-part-\(part)-of-2" }

    private func merge(_ stage: PlayedTool) -> ExitCode {
        stage.run(["merge", folder(1), folder(2), "--out", "merged"])
    }

    private func write(_ part: ShardPart, _ stage: PlayedTool) throws {
        for number in 1...2 {
            try stage.write(JSONDocument.text(Checksummed(part)), to: "\(folder(number))/part.json")
        }
    }

    private func replications(_ part: Int, _ stage: PlayedTool) throws -> [String] {
        try stage.files(in: "\(folder(part))/replications")
            .map { "\(folder(part))/replications/\($0)" }
    }

    @Test(
        "A part's command can only be what a plan can contain, and writes nowhere else",
        arguments: [
            ["merge", "parts"], ["run", "storm"], ["run", "storm", "--summary", "victim"],
            ["run", "storm", "--replications", "2", "--summary", "victim"],
            ["run", "storm", "--replications", "2", "--junit", "victim"],
            ["run", "storm", "--replications", "2", "--out", "victim"],
            ["run", "storm", "--replications", "2", "--journal", "victim"],
            ["run", "-", "--replications", "2"], ["new", "victim"], ["capacity", "storm"], [],
        ])
    func commands(words: [String]) throws {
        let stage = try stage()
        try stage.write("mine", to: "victim")
        let part = ShardPart(command: words, build: try Version.build, index: 1, count: 1, plan: [])
        try write(part, stage)
        let output = stage.console.output
        #expect(merge(stage) == .invalidInput)
        #expect(stage.console.errors.contains("is of no command that can be split into parts"))
        #expect(try stage.read("victim") == "mine" && stage.console.output == output)
    }

    @Test(
        "Counts are bounded before anything is done with them",
        arguments: [(1_000_000_000, 1), (0, 1), (-1, 1), (2, 3), (2, 0), (Int.max, Int.min)])
    func counts(count: Int, index: Int) throws {
        let stage = try stage()
        try write(
            ShardPart(
                command: Self.words, build: try Version.build, index: index, count: count,
                plan: []),
            stage)
        #expect(merge(stage) == .invalidInput)
        let refusals = [" must be 1…", "which no run comes to"]
        #expect(refusals.contains { stage.console.errors.contains($0) })
    }

    @Test("A folder of parts is none: those in it are named")
    func folderOfParts() throws {
        let stage = try stage()
        #expect(stage.run(["merge", "parts/storm", "--out", "merged"]) == .invalidInput)
        let errors = stage.console.errors
        #expect(errors.contains("is not a part but a folder of parts; name "))
        #expect(errors.contains("\(folder(1)) ") && errors.contains("\(folder(2))\n"))
    }

    @Test("A replication in another's place is named")
    func swapped() throws {
        let stage = try stage()
        let files = try replications(1, stage)
        let (one, other) = (try stage.read(files[0]), try stage.read(files[1]))
        try stage.write(other, to: files[0])
        try stage.write(one, to: files[1])
        #expect(merge(stage) == .invalidInput)
        #expect(stage.console.errors.contains("it is of another task"))
    }

    @Test("A number that was changed is named, in a replication and in a part")
    func changed() throws {
        let stage = try stage()
        let file = try replications(1, stage)[0]
        let text = try stage.read(file)
        try stage.write(text.replacing("\"requests\":1234", with: "\"requests\":1235"), to: file)
        #expect(merge(stage) == .invalidInput)
        #expect(stage.console.errors.contains("the content is not what was written"))
        try stage.write(text, to: file)
        #expect(merge(stage) == .passed)
        let part = try stage.read("\(folder(2))/part.json")
        try stage.write(
            part.replacing("\"index\" : 2", with: "\"index\" : 1"), to: "\(folder(2))/part.json")
        #expect(merge(stage) == .invalidInput)
    }

    @Test("A part that was laid out anew is still whole")
    func reformatted() throws {
        let stage = try stage()
        let part = try stage.read("\(folder(1))/part.json")
        try stage.write(part.replacing("\n", with: "\r\n  "), to: "\(folder(1))/part.json")
        #expect(merge(stage) == .passed)
    }

    @Test("Parts of a profile that was changed since are said to be so")
    func otherProfile() throws {
        let stage = try stage()
        let other = PlayedRunner.profile.replacing("300", with: "301")
        try stage.write(other, to: "Profiles/storm.json")
        #expect(merge(stage) == .invalidInput)
        #expect(stage.console.errors.contains("the parts are of another profile"))
    }

    @Test("A damaged replication that only saves time is named, and its seed runs again")
    func cache() throws {
        let stage = try PlayedTool()
        #expect(stage.run(Self.words) == .passed)
        let file = try #require(stage.files(in: "Results/storm/.replications").first)
        try stage.write("{}", to: "Results/storm/.replications/\(file)")
        let first = stage.console.output
        #expect(stage.run(Self.words) == .passed)
        #expect(stage.console.errors.contains("note: "))
        #expect(stage.console.errors.contains("\(file) is not used: line 1"))
        #expect(stage.console.output == first + first)
    }

    @Test("Replications that cannot be kept are a note, and the answer is there")
    func unkept() throws {
        let stage = try PlayedTool()
        try stage.write("in the way", to: "Results/storm/.replications")
        #expect(stage.run(Self.words) == .passed)
        #expect(stage.console.errors.contains("note: finished replications cannot be kept in"))
        #expect(stage.console.output.contains("4 replications every threshold holds"))
        #expect(stage.run(Self.words + ["--shard", "1/1", "--out", "parts"]) == .passed)
    }

    @Test("A baseline whose numbers were changed is refused")
    func baseline() throws {
        let stage = try PlayedTool()
        _ = stage.run(Self.words + ["--out", "base"])
        let names = try stage.files(in: "base/storm").filter { $0.hasSuffix("replications.json") }
        let file = "base/storm/\(try #require(names.first))"
        #expect(stage.run("compare", file, "storm") == .passed)
        let text = try stage.read(file)
        try stage.write(text.replacing("\"requests\" : 4936", with: "\"requests\" : 1"), to: file)
        #expect(stage.run("compare", file, "storm") == .invalidInput)
        #expect(stage.console.errors.contains("the content is not what was written"))
    }

    @Test("A job file is not written over, and none is written for a profile that is not there")
    func plans() throws {
        let stage = try PlayedTool()
        let words = ["plan", "--kubernetes", "--", "run", "storm", "--replications", "9"]
        #expect(stage.run(words) == .passed)
        let job = try stage.read("squall-run.job.yaml")
        #expect(job.contains("- \"/results\"\n") && job.contains("squall merge /results/*/"))
        #expect(stage.run(words) == .usage)
        #expect(stage.console.errors.contains("squall-run.job.yaml is there already"))
        let missing = ["plan", "--slurm", "--", "run", "no-such.json", "--replications", "9"]
        #expect(stage.run(missing) == .inputOutput)
        #expect(try stage.files(in: ".").allSatisfy { !$0.hasSuffix(".sbatch") })
    }
}
