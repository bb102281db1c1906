import Foundation
import SquallFormat
import SquallPlanning
import SquallReport

/// The files that the command line asks for by name, beside the result folder.
extension RunCommand {
    /// Refuses, before anything is run, files that cannot be written or would overwrite an input.
    ///
    /// - Throws: which file that is.
    func checkExports(inputs: [URL]) throws(CommandFailure) {
        let inputs = inputs + (arguments.text("--baseline").map { [console.file($0)] } ?? [])
        try arguments.checkOutputs(
            ["--junit", "--summary", "--markdown", "--journal"], inputs: inputs, console: console)
        guard arguments.text("--baseline") == nil || arguments.text("--markdown") != nil else {
            throw .usage(
                "--baseline is for --markdown; squall compare holds runs against each other")
        }
    }

    /// The runs that `--baseline` names, by a summary or a result folder; empty without the option.
    ///
    /// - Throws: why they cannot be read.
    func baselines() throws -> [RunSummary] {
        guard let path = arguments.text("--baseline") else { return [] }
        var file = console.file(path)
        if RepeatedRun.isFolder(path, console: console) { file.append(path: "summary.json") }
        return try KeptFile(file).summaries()
    }

    /// Writes the files.
    ///
    /// - Throws: which file cannot be written, and why.
    func export(
        _ summaries: [RunSummary], elapsedMilliseconds: [Int64], since baselines: [RunSummary]
    ) throws {
        try outputFile("--junit")?.write(summaries.junit(elapsedMilliseconds: elapsedMilliseconds))
        try outputFile("--summary")?.write(Self.json(summaries))
        try outputFile("--markdown")?.write(MarkdownReport(summaries, since: baselines).text)
    }

    /// The JSON of one summary, or of several as a list.
    static func json(_ summaries: [RunSummary]) -> String {
        if summaries.count == 1, let only = summaries.first { return JSONDocument.text(only) }
        return JSONDocument.text(summaries)
    }
}
