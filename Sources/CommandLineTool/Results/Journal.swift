import Foundation

/// A file that is written line by line during a run.
final class Journal {
    private static let bufferSize = 1 << 16

    private let file: OutputFile
    private let handle: FileHandle
    private var buffer = Data()
    private var failure: (any Error)?

    init(_ file: OutputFile) throws {
        self.file = file
        handle = try file.opened()
    }

    func append(_ line: String) {
        buffer.append(contentsOf: line.utf8)
        buffer.append(UInt8(ascii: "\n"))
        if buffer.count >= Journal.bufferSize { flush() }
    }

    /// Writes what is still buffered, and closes the file.
    ///
    /// - Throws: when anything could not be written.
    func close() throws {
        flush()
        try handle.close()
        if let failure {
            throw CommandFailure.system("cannot write \(file.path)", failure)
        }
    }

    /// Writes the buffered lines.
    func flush() {
        do {
            try handle.write(contentsOf: buffer)
        } catch {
            failure = failure ?? error
        }
        buffer.removeAll(keepingCapacity: true)
    }
}
