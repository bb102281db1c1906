import Foundation
import SquallFormat
import SquallReport

/// A summary that was kept: of one run, or a list of several.
enum SummaryFile {
    /// The runs in a file, held against the manifest beside it.
    ///
    /// - Throws: why it cannot be read.
    static func read(_ file: URL) throws -> [RunSummary] {
        let data: Data
        do { data = try Data(contentsOf: file) } catch {
            throw CommandFailure.system("cannot read \(file.shown)", error)
        }
        let summaries: [RunSummary]
        do throws(FileSyntaxError) {
            let isList = data.first { !" \n\t\r".utf8.contains($0) } == UInt8(ascii: "[")
            summaries =
                isList
                ? try JSONDocument.read([RunSummary].self, from: data)
                : [try JSONDocument.read(RunSummary.self, from: data)]
        } catch {
            throw CommandFailure(
                code: .invalidInput,
                description: "\(file.shown) is no summary that this version wrote: \(error)"
                    + "\nmake it again: squall run … --summary \(file.shown)")
        }
        try WrittenFiles.check(file, data)
        return summaries
    }
}
