import Foundation
import SquallFormat
import SquallReport

/// The files that a command line asks for by name, beside those in the folder of results.
struct RunExports {
    let arguments: Arguments
    let console: any Console

    private static let options = ["--junit", "--summary", "--journal"]

    /// Refuses before anything is run what cannot be written without harm to what is read.
    ///
    /// - Throws: which of the files that is.
    func check(inputs: [URL]) throws(CommandFailure) {
        var others: [OutputFile] = []
        for option in Self.options {
            guard let file = file(option) else { continue }
            try file.check(option, inputs: inputs, others: others)
            others.append(file)
        }
    }

    /// Writes them.
    ///
    /// - Throws: which of them cannot be written, and why.
    func write(_ summaries: [RunSummary]) throws {
        try file("--junit")?.write(JUnitDocument(summaries).text)
        try file("--summary")?.write(Self.json(summaries))
    }

    /// The file that an option names.
    private func file(_ option: String) -> OutputFile? {
        arguments.text(option).map { OutputFile($0, console: console) }
    }

    /// One summary as itself, several as a list.
    static func json(_ summaries: [RunSummary]) -> String {
        if summaries.count == 1, let only = summaries.first { return JSONDocument.text(only) }
        return JSONDocument.text(summaries)
    }
}
