import Foundation
import SquallFormat
import SquallReport

/// The files that a command line asks for by name, beside those in the folder of results.
struct RunExports {
    let arguments: Arguments
    let console: any Console

    /// Writes them; a file that is there is replaced.
    ///
    /// - Throws: which of them cannot be written, and why.
    func write(_ summaries: [RunSummary]) throws {
        if let path = arguments.text("--junit") {
            try write(JUnitDocument(summaries).text, to: path)
        }
        if let path = arguments.text("--summary") {
            try write(Self.json(summaries), to: path)
        }
    }

    /// One summary as itself, several as a list.
    static func json(_ summaries: [RunSummary]) -> String {
        if summaries.count == 1, let only = summaries.first { return JSONDocument.text(only) }
        return JSONDocument.text(summaries)
    }

    private func write(_ text: String, to path: String) throws {
        let file = console.file(path)
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file, options: .atomic)
        } catch {
            throw CommandFailure.inputOutput("cannot write \(path): \(error.reason)")
        }
    }
}
