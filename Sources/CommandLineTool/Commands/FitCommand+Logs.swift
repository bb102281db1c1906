import Foundation
import SquallFit
import SquallFormat

/// Reads the logs that a command line names, piece by piece.
extension FitCommand {
    private static let pieceSize = 1 << 20

    /// The contents of all logs together.
    ///
    /// - Throws: a failure that names the log; `StoppedReading` after a signal.
    func readLogs() throws -> TrafficLog {
        let filter = RequestFilter(
            include: arguments.texts("--include"), exclude: arguments.texts("--exclude"))
        var reader = try naming("--format") {
            try LogReader(
                format: arguments.text("--format"), filter: filter,
                keepsWords: arguments.has("--keep-words"))
        }
        for path in arguments.operands { try naming(path) { try read(path, &reader) } }
        return try naming(arguments.operands.joined(separator: ", ")) { try reader.finish() }
    }

    private func naming<Value>(_ path: String, _ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let problem as LogProblem {
            // A log in JSON may be long, and no profile is.
            let start = try? ProfileFile.bytes(of: console.file(path), atMost: 1 << 20)
            if let words = ProfileFile.misplaced(start ?? []) {
                throw CommandFailure.invalid("\(path) \(words); squall fit takes a server's log")
            }
            throw CommandFailure(
                code: path == "--format" ? .usage : .invalidInput,
                description: "\(path): \(problem)")
        } catch {
            guard !(error is StoppedReading) else { throw error }
            throw CommandFailure.system("cannot read \(path)", error)
        }
    }

    private func read(_ path: String, _ reader: inout LogReader) throws {
        try ProfileFile.refuseAddress(path)
        var line = StatusLine(console: console, isQuiet: isQuiet)
        defer { line.clear() }
        try reader.read(try pieces(of: path)) { bytes, lines in
            line.show { _ in
                "reading \(path.visible): \(bytes >> 20) MiB,"
                    + " \(Units.approximate(count: Int64(lines))) lines"
            }
            return !interruption.isRequested
        }
    }

    /// A function that returns the next bytes of a file at each call; nil at its end.
    private func pieces(of path: String) throws -> () throws -> [UInt8]? {
        if path == "-" {
            var rest: [UInt8]? = try console.readInput()
            return {
                defer { rest = nil }
                return rest
            }
        }
        let handle = try FileHandle(forReadingFrom: console.file(path))
        return { try handle.read(upToCount: Self.pieceSize).map { Array($0) } }
    }
}
