import Foundation
import SquallAnswers
import SquallFormat
import Testing

@testable import CommandLineTool

@Suite("squall merge of parts that nobody vouches for")
struct MergeCommandTests {
    private static let words = ["run", "storm", "--replications", "4"]

    /// A squall on which both parts of a plan have run.
    private func squall() throws -> PlayedTool {
        let squall = try PlayedTool()
        for part in 1...2 {
            let words = Self.words + ["--shard", "\(part)/2", "--out", "parts"]
            try #require(squall.run(words) == .passed)
        }
        return squall
    }

    private func folder(_ part: Int) -> String { "parts/storm/run-part-\(part)-of-2" }

    private func merge(_ squall: PlayedTool) -> ExitCode {
        squall.run(["merge", folder(1), folder(2), "--out", "merged"])
    }

    private func write(_ part: ShardPart, _ squall: PlayedTool) throws {
        for number in 1...2 {
            try squall.write(
                JSONDocument.text(Checksummed(part)), to: "\(folder(number))/part.json")
        }
    }

    private func replications(_ part: Int, _ squall: PlayedTool) throws -> [String] {
        try squall.files(in: "\(folder(part))/replications")
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
        let squall = try squall()
        try squall.write("mine", to: "victim")
        let part = ShardPart(command: words, build: try Version.build, index: 1, count: 1, plan: [])
        try write(part, squall)
        let output = squall.console.output
        #expect(merge(squall) == .invalidInput)
        #expect(squall.console.errors.contains("is of no command that can be split into parts"))
        #expect(try squall.read("victim") == "mine" && squall.console.output == output)
    }

    @Test(
        "Counts are bounded before anything is done with them",
        arguments: [(1_000_000_000, 1), (0, 1), (-1, 1), (2, 3), (2, 0), (Int.max, Int.min)])
    func counts(count: Int, index: Int) throws {
        let squall = try squall()
        try write(
            ShardPart(
                command: Self.words, build: try Version.build, index: index, count: count,
                plan: []),
            squall)
        #expect(merge(squall) == .invalidInput)
        let refusals = [" must be 1…", "which no run comes to"]
        #expect(refusals.contains { squall.console.errors.contains($0) })
    }

    @Test("A folder of parts is none: those in it are named")
    func folderOfParts() throws {
        let squall = try squall()
        #expect(squall.run(["merge", "parts/storm", "--out", "merged"]) == .invalidInput)
        let errors = squall.console.errors
        #expect(errors.contains("is not a part but a folder of parts; name "))
        #expect(errors.contains("\(folder(1)) ") && errors.contains("\(folder(2))\n"))
    }

    @Test("A replication in another's place is named")
    func swapped() throws {
        let squall = try squall()
        let files = try replications(1, squall)
        let (one, other) = (try squall.read(files[0]), try squall.read(files[1]))
        try squall.write(other, to: files[0])
        try squall.write(one, to: files[1])
        #expect(merge(squall) == .invalidInput)
        #expect(squall.console.errors.contains("it is of another task"))
    }

    @Test("A number that was changed is named, in a replication and in a part")
    func changed() throws {
        let squall = try squall()
        let file = try replications(1, squall)[0]
        let text = try squall.read(file)
        try squall.write(text.replacing("\"requests\":1234", with: "\"requests\":1235"), to: file)
        #expect(merge(squall) == .invalidInput)
        #expect(squall.console.errors.contains("the content is not what was written"))
        try squall.write(text, to: file)
        #expect(merge(squall) == .passed)
        let part = try squall.read("\(folder(2))/part.json")
        try squall.write(
            part.replacing("\"index\" : 2", with: "\"index\" : 1"), to: "\(folder(2))/part.json")
        #expect(merge(squall) == .invalidInput)
    }

    @Test("A part that was laid out anew is still whole")
    func reformatted() throws {
        let squall = try squall()
        let part = try squall.read("\(folder(1))/part.json")
        try squall.write(part.replacing("\n", with: "\r\n  "), to: "\(folder(1))/part.json")
        #expect(merge(squall) == .passed)
    }

    @Test("Parts of a profile that was changed since are said to be so")
    func otherProfile() throws {
        let squall = try squall()
        let other = PlayedRunner.profile.replacing("300", with: "301")
        try squall.write(other, to: "Profiles/storm.json")
        #expect(merge(squall) == .invalidInput)
        #expect(squall.console.errors.contains("the parts are of another profile"))
    }

    @Test("A damaged replication that only saves time is named, and its seed runs again")
    func cache() throws {
        let squall = try PlayedTool()
        #expect(squall.run(Self.words) == .passed)
        let file = try #require(squall.files(in: "Results/storm/.replications").first)
        try squall.write("{}", to: "Results/storm/.replications/\(file)")
        let first = squall.console.output
        #expect(squall.run(Self.words) == .passed)
        #expect(squall.console.errors.contains("note: "))
        #expect(squall.console.errors.contains("\(file) is not used: line 1"))
        #expect(squall.console.output == first + first)
    }

    @Test("Replications that cannot be kept are a note, and the answer is there")
    func unkept() throws {
        let squall = try PlayedTool()
        try squall.write("in the way", to: "Results/storm/.replications")
        #expect(squall.run(Self.words) == .passed)
        #expect(squall.console.errors.contains("note: finished replications cannot be kept in"))
        #expect(squall.console.output.contains("4 replications every threshold holds"))
        #expect(squall.run(Self.words + ["--shard", "1/1", "--out", "parts"]) == .passed)
    }

    @Test("A baseline whose numbers were changed is refused")
    func baseline() throws {
        let squall = try PlayedTool()
        _ = squall.run(Self.words + ["--out", "base"])
        let names = try squall.files(in: "base/storm").filter { $0.hasSuffix("replications.json") }
        let file = "base/storm/\(try #require(names.first))"
        #expect(squall.run("compare", file, "storm") == .passed)
        let text = try squall.read(file)
        try squall.write(text.replacing("\"requests\" : 4936", with: "\"requests\" : 1"), to: file)
        #expect(squall.run("compare", file, "storm") == .invalidInput)
        #expect(squall.console.errors.contains("the content is not what was written"))
    }

    @Test("A job file is not written over, and none is written for a profile that is not there")
    func plans() throws {
        let squall = try PlayedTool()
        let words = ["plan", "--kubernetes", "--", "run", "storm", "--replications", "9"]
        #expect(squall.run(words) == .passed)
        let job = try squall.read("squall-run.job.yaml")
        #expect(job.contains("- \"/results\"\n") && job.contains("squall merge /results/*/"))
        #expect(squall.run(words) == .usage)
        #expect(squall.console.errors.contains("squall-run.job.yaml is there already"))
        let missing = ["plan", "--slurm", "--", "run", "no-such.json", "--replications", "9"]
        #expect(squall.run(missing) == .inputOutput)
        #expect(try squall.files(in: ".").allSatisfy { !$0.hasSuffix(".sbatch") })
    }
}
