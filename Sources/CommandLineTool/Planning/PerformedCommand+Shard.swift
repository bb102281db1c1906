import Foundation
import SquallAnswers
import SquallFormat

extension PerformedCommand {
    /// The part of a plan that `--shard` asks for, before its plan is known; nil without it.
    func shard() throws -> ShardPart? {
        let form = "i/n with 1 ≤ i ≤ n ≤ 10 000"
        let part = try arguments.value("--shard", as: form) { text -> (Int, Int)? in
            let numbers = text.split(separator: "/", omittingEmptySubsequences: false)
                .map { part in part.utf8.allSatisfy { $0 &- 48 < 10 } ? Int(part) : nil }
            guard numbers.count == 2, let index = numbers[0], let count = numbers[1],
                ShardPart.counts.contains(count), (1...count).contains(index)
            else { return nil }
            return (index, count)
        }
        guard let (index, count) = part else { return nil }
        guard arguments.operands.first != "-" else {
            throw CommandFailure.usage(
                "--shard needs a profile that every machine can read, so it must be a file")
        }
        return ShardPart(
            command: lastingWords, build: try Version.build, index: index, count: count)
    }

    /// Runs a part of a plan and stores it in its own folder, for `squall merge`.
    func perform(
        _ part: ShardPart, named name: String, _ work: (Replicator) throws -> any PlanAnswer
    ) throws -> ExitCode {
        let folder = partFolder(part, named: name)
        let replicator = try replicator(
            store: folder.appending(path: ShardPart.folder),
            mode: .shard(index: part.index, of: part.count))
        do {
            let answer = try interruption.awaited { try work(replicator) }
            return answer.hasPassed ? .passed : .failed
        } catch let missing as ReplicationsMissing {
            var part = part
            part.plan = replicator.plan
            return keep(part, without: missing, in: folder)
        }
    }

    /// Where a part of a plan is stored.
    func partFolder(_ part: ShardPart, named name: String) -> URL {
        outFolder.appending(path: name)
            .appending(path: "\(invocation.command.name)-part-\(part.index)-of-\(part.count)")
    }

    /// Writes files of a part, the last of which makes it complete, into its folder.
    func write(_ files: [(name: String, text: String)], to folder: URL) throws -> URL {
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for (name, text) in files {
                try Data(text.utf8).write(to: folder.appending(path: name), options: .atomic)
            }
            return folder
        } catch {
            throw CommandFailure.system("cannot write \(folder.shown)", error)
        }
    }

    private func keep(
        _ part: ShardPart, without missing: ReplicationsMissing, in folder: URL
    ) -> ExitCode {
        let lost = Set(missing.numbers)
        let kept = part.places.count { !lost.contains($0) }
        guard kept == part.places.count else {
            return stopped("\(kept) of \(part.places.count) replications of this part")
        }
        let files = [(ShardPart.file, JSONDocument.text(Checksummed(part)))]
        return end(with: .passed, keeping: { try write(files, to: folder) }, remark: nil) { place in
            print([
                "part \(part.index) of \(part.count): \(kept) of \(part.plan.count) replications"
                    + (place.map { " in \($0.shown)" } ?? "")
            ])
        }
    }
}
