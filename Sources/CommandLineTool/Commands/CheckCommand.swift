import Foundation
import SquallFormat

extension Command {
    static let check = Command(
        name: "check", summary: "Run a profile twice and compare every byte of the results.",
        operands: [Operand(name: "profile", count: .one, values: .profiles)],
        options: Option.ofProfile + [.allowLarge],
        example: "squall check Profiles/quick.json --users 1000 --for 1m",
        perform: { try CheckCommand(invocation: $0).perform() })
}

/// Runs a profile in two processes that order dictionaries differently, and compares the results.
///
/// What a run writes may depend only on seed, profile and version, never on its process. When
/// results differ, both runs are repeated with a journal, which shows the first event that
/// differs.
struct CheckCommand: PerformedCommand {
    let invocation: Invocation

    func perform() throws -> ExitCode {
        let file = try file(arguments.operands[0])
        guard file.word != "-" else {
            throw CommandFailure.usage("squall check reads the profile twice, so it must be a file")
        }
        _ = try profile(in: file)
        return try TemporaryFolder.use(until: interruption) { try compare(file, in: $0) }
    }

    private func compare(_ file: ProfileFile, in folder: URL) throws -> ExitCode {
        let runs = try (1...2).map { try results(ofRun: $0, of: file, in: folder) }
        let differences = FileDifference.all(between: runs[0], and: runs[1])
        guard differences.isEmpty else {
            let event = try firstDivergentEvent(in: folder)
            let lines = (differences + event).map(\.description)
            throw CommandFailure(
                code: .internalError,
                description: "two runs of \(file.path) differ\n" + lines.joined(separator: "\n"))
        }
        let files = Units.counted(runs[0].count, "file")
        console.write(
            "\(file.path.visible): two processes wrote the same bytes, in \(files)\n", to: .output)
        return .passed
    }

    /// Runs the profile in its own process and reads the results.
    private func results(
        ofRun number: Int, of file: ProfileFile, in folder: URL
    ) throws -> [String: [UInt8]] {
        let out = folder.appending(path: "\(number)", directoryHint: .isDirectory)
        try perform(run: number, ["--out", out.path(percentEncoded: false)])
        let parent = out.appending(path: file.name, directoryHint: .isDirectory)
        let names = try FileManager.default.contentsOfDirectory(
            atPath: parent.path(percentEncoded: false)
        ).filter { $0 != "latest" }
        guard let name = names.first, names.count == 1 else {
            throw CommandFailure.inputOutput("run \(number) left \(names.count) results, not one")
        }
        var files = try contents(of: parent.appending(path: name, directoryHint: .isDirectory))
        files["manifest.json"] = nil
        return files
    }

    /// Starts a run; the first hashes the same in every process, the second at random.
    private func perform(run number: Int, _ options: [String]) throws {
        var environment = console.environment
        environment["SWIFT_DETERMINISTIC_HASHING"] = number == 1 ? "1" : nil
        let words = ["run", arguments.operands[0], "--quiet", "--json"] + options
        let outcome = try tool.child.run(
            words + arguments.words(of: Command.check.options),
            ChildSurroundings(environment: environment))
        try outcome.checkResults(of: "run \(number)")
    }

    private func firstDivergentEvent(in folder: URL) throws -> [FileDifference] {
        let journals = try (1...2).map { number in
            let journal = folder.appending(path: "journal-\(number)")
            let out = folder.appending(path: "again-\(number)", directoryHint: .isDirectory)
            try perform(
                run: number,
                [
                    "--journal", journal.path(percentEncoded: false),
                    "--out", out.path(percentEncoded: false),
                ])
            return try Data(contentsOf: journal, options: .mappedIfSafe)
        }
        let difference = FileDifference.first(
            in: "first divergent event", journals[0], journals[1])
        return [difference].compactMap(\.self)
    }

    private func contents(of folder: URL) throws -> [String: [UInt8]] {
        let path = folder.path(percentEncoded: false)
        var files: [String: [UInt8]] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
            let file = folder.appending(path: name)
            guard !file.isFolder else { continue }
            files[name] = Array(try Data(contentsOf: file))
        }
        return files
    }
}
