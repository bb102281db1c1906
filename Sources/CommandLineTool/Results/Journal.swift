import Foundation

/// A file that every event of a run is written to, one a line.
final class Journal {
    private static let bufferSize = 1 << 16

    private let handle: FileHandle
    private let path: String
    private var buffer = Data()
    private var failure: (any Error)?

    init(_ file: URL) throws {
        path = file.path(percentEncoded: false)
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let handle = FileHandle(forWritingAtPath: path)
        else { throw CommandFailure.inputOutput("cannot write the journal \(path)") }
        self.handle = handle
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
            throw CommandFailure.inputOutput("cannot write the journal \(path): \(failure.reason)")
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
