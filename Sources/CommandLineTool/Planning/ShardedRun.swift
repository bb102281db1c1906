import Foundation
import SquallFormat
import SquallPlanning

/// Which part of a plan to run.
struct ShardName {
    let index: Int
    let count: Int

    /// Parses the value of `--shard`; nil if the option is not given.
    init?(_ arguments: Arguments) throws(CommandFailure) {
        let form = "i/n with 1 ≤ i ≤ n ≤ 10 000"
        let parts = try arguments.values("--shard", as: form) { text -> (Int, Int)? in
            let numbers = text.split(separator: "/", omittingEmptySubsequences: false)
                .map { Int($0) }
            guard numbers.count == 2, let index = numbers[0], let count = numbers[1],
                ShardPart.counts.contains(count), (1...count).contains(index)
            else { return nil }
            return (index, count)
        }
        guard let part = parts.first else { return nil }
        (index, count) = part
    }
}

/// Runs a part of a plan and stores it in its own folder, for `squall merge`.
struct ShardedRun {
    private let planning: any PlanningCommand
    private let name: String
    private let shard: ShardName

    init(_ planning: any PlanningCommand, name: String, shard: ShardName) throws(CommandFailure) {
        guard planning.arguments.operands.first != "-" else {
            throw .usage(
                "--shard needs a profile that every machine can read, so it must be a file")
        }
        self.planning = planning
        self.name = name
        self.shard = shard
    }

    func perform(_ work: (Replicator) throws -> KeptAnswer) throws -> ExitCode {
        let folder = planning.outFolder.appending(path: name)
            .appending(path: "\(planning.command.name)-part-\(shard.index)-of-\(shard.count)")
        let replicator = try planning.replicator(
            store: folder.appending(path: ShardPart.folder),
            mode: .shard(index: shard.index, of: shard.count))
        do {
            let answer = try planning.interruption.awaited {
                try planning.failing { try work(replicator) }
            }
            return answer.hasPassed ? .passed : .failed
        } catch let missing as ReplicationsMissing {
            return try keep(missing, replicator.plan, in: folder)
        }
    }

    private func keep(
        _ missing: ReplicationsMissing, _ plan: [String], in folder: URL
    ) throws -> ExitCode {
        let part = ShardPart(
            command: planning.arguments.words(
                of: planning.command, without: Option.withoutEffect),
            build: try Version.build, index: shard.index, count: shard.count, plan: plan)
        let lost = Set(missing.numbers)
        let left = part.places.filter(lost.contains)
        let place = folder.path(percentEncoded: false)
        guard left.isEmpty else {
            let kept = part.places.count - left.count
            return planning.stopped("\(kept) of \(part.places.count) replications of this part")
        }
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(JSONDocument.text(Sealed(part)).utf8)
                .write(to: folder.appending(path: ShardPart.file), options: .atomic)
        } catch {
            throw CommandFailure.system("cannot write \(place)", error)
        }
        planning.console.write(
            "part \(shard.index) of \(shard.count): \(part.places.count) of \(plan.count)"
                + " replications in \(place.visible)\n", to: .output)
        return .passed
    }
}
