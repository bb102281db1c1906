import Foundation
import SquallBackend
import SquallLab

/// The access log of a run: a line for each reply of the server, in the order of the replies.
final class AccessLogFile {
    private let lines: Journal
    private let form: AccessLogForm

    /// Opens a file; its name says in which form lines are written.
    ///
    /// - Throws: why it cannot be written, or that it would replace what is read.
    init(_ file: OutputFile, inputs: [URL]) throws {
        try file.check("--log", inputs: inputs)
        lines = try Journal(file)
        form = AccessLogForm(fileName: file.path)
    }

    func append(_ record: ServerRecord) { lines.append(form.line(record)) }

    /// Writes what is left.
    ///
    /// - Throws: when anything could not be written.
    func close() throws { try lines.close() }
}
