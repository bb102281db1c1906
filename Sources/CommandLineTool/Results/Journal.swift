import Foundation

/// A file that is written line by line during a run.
final class Journal {
    private static let pieceSize = 1 << 16

    private let path: String
    private let handle: FileHandle
    private var buffer = Data()
    private var failure: (any Error)?
    /// True until a line is appended.
    private(set) var isEmpty = true

    init(_ file: OutputFile) throws { (path, handle) = (file.path, try file.opened()) }

    /// A file without a name, which is gone with this object.
    init() throws {
        var name = Array(
            FileManager.default.temporaryDirectory.appending(path: "squall-XXXXXX").systemPath
                .utf8CString)
        let number = try SystemFailure.checked { mkstemp(&name) }
        // Commands that are started do not get it.
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        unlink(name)
        (path, handle) = ("", FileHandle(fileDescriptor: number, closeOnDealloc: true))
    }

    /// Writes what is still buffered: where a run ends by an error, its last lines tell why.
    deinit { flush() }

    func append(_ line: String) {
        isEmpty = false
        buffer.append(contentsOf: line.utf8)
        buffer.append(UInt8(ascii: "\n"))
        if buffer.count >= Journal.pieceSize { flush() }
    }

    /// Writes what is still buffered, and closes the file.
    ///
    /// - Throws: when anything could not be written.
    func close() throws {
        flush()
        try handle.close()
        if let failure { throw CommandFailure.system("cannot write \(path)", failure) }
    }

    /// A function that returns the next bytes at each call, from the beginning; nil at the end.
    ///
    /// - Throws: why a line could not be kept.
    func pieces() throws -> () throws -> [UInt8]? {
        flush()
        if let failure { throw failure }
        try handle.seek(toOffset: 0)
        return { [handle] in try handle.read(upToCount: Journal.pieceSize).map { Array($0) } }
    }

    /// Writes the buffered lines.
    private func flush() {
        guard !buffer.isEmpty else { return }
        do { try handle.write(contentsOf: buffer) } catch { failure = failure ?? error }
        buffer.removeAll(keepingCapacity: true)
    }
}
