import Foundation
import SquallAnswers
import SquallFormat

extension Command {
    static let merge = Command(
        name: "merge",
        summary: "Combine the parts of --shard into the answer of one machine.",
        operands: [
            Operand(
                name: "folder", count: .atLeastOne, values: .folders,
                about: "A part that --shard wrote, such as Results/quick/run-part-1-of-8.")
        ],
        options: Option.ofAnswers,
        example: "squall merge Results/quick/run-part-*",
        perform: { try MergeCommand(invocation: $0).perform() })
}

/// Computes the answer of a plan from parts that ran elsewhere; runs nothing.
struct MergeCommand: PerformedCommand {
    let invocation: Invocation

    func perform() throws -> ExitCode {
        let folders = arguments.operands.map(console.file)
        let parts = try zip(arguments.operands, folders).map { name, folder in
            (name: name, part: try read(folder))
        }
        let problems = ShardPart.problems(of: parts, build: try Version.build)
        guard let first = parts.first, problems.isEmpty else {
            throw CommandFailure.invalid(problems.joined(separator: "\n"))
        }
        let words = first.part.command
        do throws(CommandFailure) { try PlanCommand.check(words) } catch {
            throw CommandFailure.invalid(
                "\(first.name) is of no command that can be split into parts: \(error.description)")
        }
        guard let command = Command.all.named(words[0]) else { return .internalError }
        var merged = invocation
        merged.command = command
        merged.parts = MergedParts(
            stores: folders.map { ReplicationStore($0.appending(path: ShardPart.folder)) },
            plan: first.part.plan, folders: folders)
        // Where results go and how they look is as given to this command.
        let appearance = arguments.words(of: Option.ofAnswers)
        merged.arguments = try Arguments.parse(
            Array(words.dropFirst()) + appearance, for: command)
        return try command.perform(merged)
    }

    private func read(_ folder: URL) throws -> ShardPart {
        let file = folder.appending(path: ShardPart.file)
        let data: Data
        do { data = try Data(contentsOf: file) } catch {
            let inside = parts(in: folder)
            guard inside.isEmpty else {
                throw CommandFailure.invalid(
                    "\(folder.shown) is not a part but a folder of parts; name"
                        + " \(inside.joined(separator: " "))")
            }
            throw CommandFailure.system(
                "\(folder.shown) is not a part written by --shard; if its run was stopped, repeat"
                    + " that. Cannot read \(ShardPart.file)", error)
        }
        do { return try Checksummed<ShardPart>.read(data) } catch {
            throw CommandFailure.invalid("\(file.path(percentEncoded: false)): \(error)")
        }
    }

    /// The parts in a folder, sorted by path.
    private func parts(in folder: URL) -> [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.systemPath)
        return (names ?? []).sorted().map { folder.appending(path: $0) }
            .filter { $0.appending(path: ShardPart.file).exists }.map(\.shown)
    }
}
