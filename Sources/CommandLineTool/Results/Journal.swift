import Foundation

/// A file that is written line by line while a run goes on.
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

    /// Writes what is left.
    ///
    /// - Throws: when anything could not be written.
    func close() throws {
        flush()
        try handle.close()
        if let failure {
            throw CommandFailure.system("cannot write \(file.path)", failure)
        }
    }

    /// Writes what has been appended.
    func flush() {
        do {
            try handle.write(contentsOf: buffer)
        } catch {
            failure = failure ?? error
        }
        buffer.removeAll(keepingCapacity: true)
    }
}
