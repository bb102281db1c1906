import Foundation
import Testing

@Suite("Commands whose calls of the system fail one by one", .serialized)
struct FailingCallTests {
    /// Whether every call of every command fails, instead of a sample; .ci/failing-calls asks so.
    private static let isWhole =
        ProcessInfo.processInfo.environment["FAILING_CALLS_ALL"] == "all"

    @Test(
        "A failing system call gives the right exit code and one clear line, and loses no file",
        arguments: FailingCommand.all)
    func each(command: FailingCommand) throws {
        let calm = try command.prepared()
        defer { calm.remove() }
        let usual = try calm.run(command.words)
        let answer = usual.output.replacing(calm.folder.lastPathComponent, with: "")
        var (counts, ended) = ([Int32: Int](), Set<Substring>())
        for plan in Self.isWhole ? FailingCommand.plans : command.sample {
            let kind = plan.prefix { $0 != ":" }
            guard !ended.contains(kind) else { continue }
            let tool = try command.prepared()
            defer { tool.remove() }
            let (outcome, isFailed) = try tool.run(command.words, failing: plan)
            guard isFailed else {
                ended.insert(kind)
                continue
            }
            counts[outcome.status, default: 0] += 1
            let problems = try problems(of: outcome, usual.status, answer, plan, in: tool)
            #expect(problems == [], "\(command.words) \(plan): \(outcome.errors)")
        }
        #expect(!counts.isEmpty)
        guard Self.isWhole else { return }
        let list = counts.sorted { $0.key < $1.key }.map { "\($0.value) ended with \($0.key)" }
        FileHandle.standardError.write(
            Data("\(command.testDescription): \(list.joined(separator: ", "))\n".utf8))
    }

    /// What is wrong with how a command ended.
    private func problems(
        of outcome: BuiltTool.Outcome, _ usual: Int32, _ answer: String, _ plan: String,
        in tool: BuiltTool
    ) throws -> [String] {
        var problems: [String] = []
        let isMemory = plan.contains("alloc") || plan.contains("memalign") || plan.contains("mmap")
        if ![usual, 71, 74].contains(outcome.status) {
            problems.append("it ended with \(outcome.status)")
        }
        // Where findings lie is said with the folder's whole path.
        if outcome.status == usual,
            outcome.output.replacing(tool.folder.lastPathComponent, with: "") != answer
        {
            problems.append("its answer is another")
        }
        let lines = outcome.errors.split(separator: "\n")
        if outcome.status != usual {
            if !outcome.errors.contains("error: ") { problems.append("it says nothing") }
            if lines.count > 6 { problems.append("it says too much") }
        }
        for word in ["Error Domain", "CocoaError", "POSIXError", "Code="]
        where outcome.errors.contains(word) {
            problems.append("it says \(word)")
        }
        let profile = try Data(contentsOf: tool.folder.appending(path: "p.json"))
        let origin = BuiltTool.package.appending(path: "Profiles/quick.json")
        if try profile != Data(contentsOf: origin) { problems.append("the profile is another") }
        return problems + (isMemory ? [] : try left(in: tool))
    }

    /// What is left behind, or there and not whole.
    private func left(in tool: BuiltTool) throws -> [String] {
        let names = try FileManager.default.subpathsOfDirectory(
            atPath: tool.folder.path(percentEncoded: false))
        let left = names.filter { name in
            let file = name.split(separator: "/").last ?? ""
            return [".unfinished", ".unlocked", ".squall", ".latest"].contains(
                where: file.hasPrefix)
                || name.hasPrefix("tmp/")
        }
        let torn = try ["s.json": "}\n", "j.xml": "</testsuites>\n", "n.json": "}\n"].filter {
            guard names.contains($0.key) else { return false }
            let data = try Data(contentsOf: tool.folder.appending(path: $0.key))
            return !String(decoding: data, as: UTF8.self).hasSuffix($0.value)
        }
        let runs = names.filter { $0.contains("/seed1-") && $0.split(separator: "/").count == 3 }
        let unfinished = try runs.filter { name in
            try !name.hasSuffix("-incomplete")
                && !tool.isWhole(String(name.dropFirst("Results/".count)))
        }
        return left.map { "\($0) is left" } + torn.keys.sorted().map { "\($0) is not whole" }
            + unfinished.map { "\($0) is not whole" }
    }
}
