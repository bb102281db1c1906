import Foundation
import SquallFormat
import SquallLab
import SquallReport

/// Repeats a run from its result folder, and says whether the results are the same bytes.
struct RepeatedRun: PerformedCommand {
    let invocation: Invocation

    static func isFolder(_ word: String, console: any Console) -> Bool {
        word != "-" && console.file(word).isFolder
    }

    /// True for a word that names a run to repeat; a folder without a run does not hide a profile
    /// of its name.
    static func isMeant(by word: String, console: any Console) -> Bool {
        let isPath = word.contains("/") || word.hasPrefix(".")
        return isFolder(word, console: console)
            && (isPath || console.file(word).appending(path: ResultFolder.manifest).exists)
    }

    private var folder: URL { console.file(arguments.operands[0]) }
    private var name: String { folder.path(percentEncoded: false) }

    func perform() throws -> ExitCode {
        guard folder.appending(path: ResultFolder.manifest).exists else {
            throw CommandFailure.usage(
                "\(name) is a folder without a run: it has no \(ResultFolder.manifest). Name a"
                    + " profile, or the folder of one run: Results/<profile>/<run>")
        }
        guard !Option.ofProfile.contains(where: { arguments.isTyped($0.name) }) else {
            throw CommandFailure.usage(
                "a run is repeated as it was; to change something, run its profile:"
                    + " squall run \(file(ResultFolder.profile).quotedForShell) …")
        }
        let manifest = try read(Manifest.self, from: ResultFolder.manifest)
        sayWhatDiffers(manifest)
        let summary = try read(RunSummary.self, from: "summary.json")
        guard summary.verdict != .partial else {
            throw CommandFailure.invalid(
                "the run in \(name) was interrupted and cannot be repeated to the same moment; let"
                    + " it run to its end: squall run \(file(ResultFolder.profile).quotedForShell)")
        }
        guard summary.generator == nil else {
            throw CommandFailure.invalid(
                "the run in \(name) was driven against a real server, which no run repeats; to see"
                    + " what the profile says of it: squall compare \(name.quotedForShell)")
        }
        guard let source = manifest.source else {
            throw CommandFailure.invalid("\(name) holds a result of many runs, not of one run")
        }
        try WrittenFiles(of: manifest, in: folder).checkAll()
        let result = try run(summary, source)
        return try compare(result, manifest)
    }

    private func sayWhatDiffers(_ manifest: Manifest) {
        let facts = [
            ("version", manifest.version, Version.current),
            ("commit", manifest.commit ?? "unknown", Version.commit ?? "unknown"),
            ("build mode", manifest.buildMode, Version.buildMode),
            ("toolchain", manifest.toolchain, Version.toolchain),
            ("architecture", manifest.architecture, Version.architecture),
        ]
        for (what, then, now) in facts where then != now {
            console.write("note: \(what) was \(then.visible), is \(now)\n", to: .error)
        }
    }

    private func run(_ summary: RunSummary, _ source: Manifest.Source) throws -> RunResult {
        var profile = try profile(source)
        profile.durationNanoseconds = source.durationNanoseconds
        let options = LoadRun.Options(
            replayCommand: summary.replay, trace: source.trace.flatMap(TraceSelection.init))
        let result = try interruption.awaited {
            try run(profile, named: summary.profile, options)
        }
        guard !interruption.isRequested else {
            throw CommandFailure(
                code: interruption.exitCode, description: "interrupted before its end")
        }
        return result
    }

    /// The profile of the run; fails if its files of arrivals have changed.
    private func profile(_ source: Manifest.Source) throws -> Profile {
        let path = file(ResultFolder.profile)
        let origin = URL(filePath: source.profile).deletingLastPathComponent()
        let bytes = try ProfileFile.readable(path) {
            Array(try Data(contentsOf: URL(filePath: $0)))
        }
        let logs = ArrivalLogFiles(
            profile: path, document: bytes, folder: origin, allowsOutside: true)
        return try Profile.read(
            bytes, file: path, vocabulary: tool.runner.vocabulary,
            overrides: [ProfileOverride(runFor: source.durationNanoseconds)]
        ).readingArrivalLogs { name in
            let (log, hash) = try logs.read(name)
            let known = source.files.first { $0.name == name }?.hash
            guard hash == known else {
                throw CommandFailure.invalid(
                    "\(name) is not what it was when the run in \(self.name) was made (hash"
                        + " \(known ?? "unknown") then, \(hash) now)")
            }
            return log
        }
    }

    private func compare(_ result: RunResult, _ manifest: Manifest) throws -> ExitCode {
        var files: (then: [String: [UInt8]], now: [String: [UInt8]]) = ([:], [:])
        for (name, text) in result.output.files {
            files.now[name] = Array(text.utf8)
            files.then[name] = (try? Data(contentsOf: folder.appending(path: name))).map(Array.init)
        }
        let differences = FileDifference.all(between: files.then, and: files.now)
        guard !differences.isEmpty else {
            let count = Units.counted(files.now.count, "file")
            console.write("\(name): the same bytes again, in \(count)\n", to: .output)
            return .passed
        }
        let isSameProgram =
            manifest.version == Version.current && manifest.build == Version.stamp
        throw CommandFailure(
            code: isSameProgram ? .internalError : .failed,
            description: "the run in \(name) (run 1) and its repetition (run 2) differ\n"
                + differences.map(\.description).joined(separator: "\n"))
    }

    private func read<Content: Codable>(_ type: Content.Type, from name: String) throws -> Content {
        let data = try ProfileFile.readable(file(name)) {
            try Data(contentsOf: URL(filePath: $0))
        }
        do { return try JSONDocument.read(type, from: data) } catch {
            throw CommandFailure.invalid(
                "\(file(name)) is not a file of a run that this version wrote: \(error)")
        }
    }

    private func file(_ name: String) -> String {
        folder.appending(path: name).path(percentEncoded: false)
    }
}
