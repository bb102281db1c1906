import Foundation
import SquallAnswers
import SquallFormat
import SquallLab
import SquallReport

/// Several load generators that share a profile's users.
extension DriveCommand {
    /// Refuses what cannot be shared, before anything is sent.
    func check(_ shard: ShardPart, _ profile: Profile) throws {
        try arguments.refuse(
            Option.ofParts,
            "is about the whole answer, and --shard gives a part; leave it out here")
        guard shard.count <= profile.users else {
            throw CommandFailure.usage(
                "--shard \(shard.index)/\(shard.count) would leave parts without a user: the"
                    + " profile has \(Units.counted(profile.users, "user")); at most"
                    + " \(profile.users) parts")
        }
        for threshold in profile.thresholds {
            let text = "'\(threshold.selection): \(threshold.expression)'"
            if threshold.abortsRun {
                throw CommandFailure.usage(
                    "the threshold \(text) would end one part alone; leave its abort out to use"
                        + " --shard")
            }
            if threshold.afterNanoseconds != nil || threshold.untilNanoseconds != nil {
                throw CommandFailure.usage(
                    "the threshold \(text) is about a part of the time, and parts of --shard add up"
                        + " to the whole time alone; leave its window out, or use \"warmUp\"")
            }
        }
    }

    /// Stores a part for `squall merge`, and ends.
    func end(
        _ result: RunResult, _ shard: ShardPart, of loaded: LoadedProfile, _ file: ProfileFile,
        began: Double, beside files: [BesideFile]
    ) -> ExitCode {
        let driven = DrivenPart(
            result, UserShare(index: shard.index, of: shard.count),
            of: loaded.document.document, began: began)
        let parts = [
            (DrivenPart.file, JSONDocument.text(Checksummed(driven))),
            (ShardPart.file, JSONDocument.text(Checksummed(shard))),
        ]
        return end(
            with: .passed,
            keeping: { try write(parts, to: partFolder(shard, named: file.name)) }, remark: nil,
            beside: files
        ) { folder in
            print([
                "part \(shard.index) of \(shard.count):"
                    + " \(Units.counted(result.requests, "request"))"
                    + (folder.map { " in \($0.shown)" } ?? "")
            ])
            for finding in result.summary.findings where finding.failsRun {
                tell("note: \(finding.headline). \(finding.detail)")
            }
        }
    }

    /// The answer of parts that were driven elsewhere; sends nothing.
    func merge(_ folders: [URL], of loaded: LoadedProfile, _ file: ProfileFile) throws -> ExitCode {
        let parts = try folders.map(read)
        guard parts.allSatisfy({ $0.profile == loaded.document.document }) else {
            throw CommandFailure.invalid(
                "the parts are of another profile than '\(replayCommand)' names here: it, or a file"
                    + " of arrivals it names, was changed since they ran")
        }
        guard Set(parts.map(\.index)).count == parts.count else {
            throw CommandFailure.invalid("a part is named twice; name each of them once")
        }
        return try keeping(resultsOf: file.name) { folder in
            let started = (date: console.date, elapsed: console.elapsedNanoseconds)
            guard let result = try DrivenParts(parts, of: loaded.profile).merged() else {
                throw CommandFailure.invalid("the parts have metrics that this program lacks")
            }
            let manifest = manifest(ofRequests: result.requests, since: started)
            return end(
                with: exitCode(of: result.summary.verdict),
                keeping: { try folder.keep(result, manifest, loaded) }
            ) { _ in print(result.summary) }
        }
    }

    private func read(_ folder: URL) throws -> DrivenPart {
        let file = folder.appending(path: DrivenPart.file)
        let data: Data
        do { data = try Data(contentsOf: file) } catch {
            throw CommandFailure.system("cannot read \(file.shown)", error)
        }
        do { return try Checksummed<DrivenPart>.read(data) } catch {
            throw CommandFailure.invalid("\(file.shown): \(error)")
        }
    }
}

extension Option {
    /// The options of `squall drive` that are about the whole answer.
    static let ofParts = ["--json", "--full", "--junit", "--summary", "--markdown", "--baseline"]
}
