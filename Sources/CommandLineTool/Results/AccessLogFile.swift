import Foundation
import SquallBackend
import SquallLab

/// The access log of a run: one line for each reply of the server, in order.
final class AccessLogFile {
    private let lines: Journal
    private let form: AccessLogForm

    /// Opens a file; its extension decides the format of the lines.
    ///
    /// - Throws: why it cannot be written, or that it would replace an input file.
    init(_ file: OutputFile, inputs: [URL]) throws {
        try file.check("--log", inputs: inputs)
        lines = try Journal(file)
        form = AccessLogForm(fileName: file.path)
    }

    func append(_ record: ServerRecord) { lines.append(form.line(record)) }

    /// Writes what is still buffered, and closes the file.
    ///
    /// - Throws: when anything could not be written.
    func close() throws { try lines.close() }
}
