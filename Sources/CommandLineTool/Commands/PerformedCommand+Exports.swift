import Foundation
import SquallAnswers
import SquallFormat
import SquallKernel
import SquallReport

/// The files that the command line asks for by name, beside the result folder.
extension PerformedCommand {
    /// The files that are read: the profile and its files of arrivals.
    func inputs(of loaded: LoadedProfile, _ file: ProfileFile) -> [URL] {
        [console.file(file.path)]
            + loaded.files.map { URL(filePath: $0.name, relativeTo: file.folder).absoluteURL }
    }

    /// Refuses, before anything is run, files that cannot be written or would overwrite an input.
    ///
    /// - Throws: which file that is.
    func checkExports(inputs: [URL]) throws(CommandFailure) {
        let inputs = inputs + (arguments.text("--baseline").map { [console.file($0)] } ?? [])
        try arguments.checkOutputs(
            ["--junit", "--summary", "--markdown", "--journal", "--log"], inputs: inputs,
            console: console)
        guard arguments.text("--baseline") == nil || arguments.text("--markdown") != nil else {
            throw .usage(
                "--baseline is for --markdown; squall compare compares runs")
        }
    }

    /// The runs that `--baseline` names, by a summary or a result folder; empty without the option.
    ///
    /// - Throws: why they cannot be read, that one of them was interrupted, or that none is of a
    ///   profile to be run.
    func baselines(of profiles: [String]) throws -> [RunSummary] {
        guard let path = arguments.text("--baseline") else { return [] }
        var file = console.file(path)
        if RepeatedRun.isFolder(path, console: console) { file.append(path: "summary.json") }
        let known = try KeptFile.ofRun("summary.json", at: file).wholeSummaries()
        for profile in profiles where !known.contains(where: { $0.profile == profile }) {
            let names = Set(known.map(\.profile)).sorted().joined(separator: ", ")
            throw CommandFailure.invalid(
                "--baseline \(path.visible) is of \(names.visible), and this run is of \(profile)")
        }
        return known
    }

    /// The refusal of a baseline of another version, where it lies in the folder of its run.
    private var otherVersion: [String] {
        guard let path = arguments.text("--baseline") else { return [] }
        let place = console.file(path)
        let folder =
            RepeatedRun.isFolder(path, console: console) ? place : place.deletingLastPathComponent()
        guard let data = try? Data(contentsOf: folder.appending(path: ResultFolder.manifest)),
            let manifest = try? JSONDocument.read(Manifest.self, from: data),
            manifest.version != Version.current
        else { return [] }
        return ["version of Squall: \(manifest.version) then, \(Version.current) now"]
    }

    /// The files with their contents.
    func exports(
        _ summaries: [RunSummary], _ ended: [RunFault], since baselines: [RunSummary]
    ) -> [BesideFile] {
        let isStrict = arguments.has(Option.strict.name)
        let suites = summaries.suites(isStrict: isStrict) + ended.map(\.suite)
        let faults = ended.map { "## ❌ \($0.description.visible)\n\n" }.joined()
        return [
            BesideFile(outputFile("--junit"), JUnitSuite.document(suites)),
            BesideFile(outputFile("--summary"), Self.json(summaries)),
            BesideFile(
                outputFile("--markdown"),
                faults
                    + MarkdownReport(summaries, since: baselines, otherwise: otherVersion).text),
        ]
    }

    /// The JSON of one summary, or of several as a list.
    static func json(_ summaries: [RunSummary]) -> String {
        if summaries.count == 1, let only = summaries.first { return JSONDocument.text(only) }
        return JSONDocument.text(summaries)
    }
}

/// A profile's run that a fault of the simulation ended.
struct RunFault: CustomStringConvertible {
    let profile: String
    let reason: String

    var description: String { "\(profile): \(Containment.words): \(reason)" }

    var suite: JUnitSuite {
        JUnitSuite(
            profile,
            [JUnitSuite.Case("simulation", "run", failures: [(Containment.words, reason)])])
    }
}
