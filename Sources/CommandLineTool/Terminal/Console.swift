public import Foundation
import SquallFormat

/// The streams and the environment of a command.
public protocol Console {
    /// Environment variables by name.
    var environment: [String: String] { get }
    /// The folder that relative paths start from.
    var directory: URL { get }
    /// Real nanoseconds since some fixed moment.
    var elapsedNanoseconds: Int64 { get }
    /// The memory that a process can still get; nil where the system does not tell.
    var availableMemoryBytes: Int64? { get }
    /// The date and time, in ISO 8601.
    var date: String { get }

    /// Writes a text as it is.
    func write(_ text: String, to stream: ConsoleStream)
    /// The reason for which results did not reach standard output; nil if they did or the reader
    /// just closed it.
    var outputFailure: String? { get }
    /// True for a stream to a terminal, read by a user.
    func isTerminal(_ stream: ConsoleStream) -> Bool
    /// The number of columns of a stream's terminal; nil if it is none or does not tell.
    func columns(of stream: ConsoleStream) -> Int?
    /// All of standard input.
    func readInput() throws -> [UInt8]
}

/// The two output streams of a process.
public enum ConsoleStream: Sendable {
    /// Results, and nothing else.
    case output
    /// Progress and errors.
    case error
}

extension Console {
    /// True for a stream on which text may be coloured.
    ///
    /// Only on a terminal that can show colours and for a user who has not refused them: `NO_COLOR`
    /// unset or empty, `TERM` not `dumb`, no `--no-color`.
    func mayColour(_ stream: ConsoleStream, isForbidden: Bool) -> Bool {
        isTerminal(stream) && !isForbidden && environment["NO_COLOR", default: ""].isEmpty
            && environment["TERM"] != "dumb"
    }

    /// Writes problems, a line for each, which a terminal gets in lines that fit it.
    func report(_ problems: String) {
        let width = isTerminal(.error) ? width(of: .error) : nil
        for line in problems.split(separator: "\n") {
            let text = "error: \(String(line).visible)"
            let lines = width.map { WordWrap.lines(text, width: $0, rest: "  ") } ?? [text]
            write(lines.map { $0 + "\n" }.joined(), to: .error)
        }
    }

    /// The width for text on the stream: from `COLUMNS`, or the terminal's, or else the usual one.
    func width(of stream: ConsoleStream, otherwise usual: Int = 80) -> Int {
        environment["COLUMNS"].flatMap { Int($0) } ?? columns(of: stream) ?? usual
    }

    /// The file at a path relative to the console's folder.
    public func file(_ path: String) -> URL {
        URL(filePath: path, relativeTo: directory.appending(path: "", directoryHint: .isDirectory))
            .absoluteURL
    }
}
