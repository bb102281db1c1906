import Foundation
import SquallDocument
import SquallFormat
import SquallReport

/// Where a command reads and writes, and what it may know of its surroundings.
protocol Console {
    /// Environment variables by name.
    var environment: [String: String] { get }
    /// The folder that relative paths start from.
    var directory: URL { get }
    /// Real elapsed nanoseconds since some fixed moment.
    var elapsedNanoseconds: Int64 { get }
    /// How much memory a process can still have; nil where the system does not tell.
    var availableMemoryBytes: Int64? { get }
    /// The date and time, in ISO 8601.
    var date: String { get }

    func write(_ text: String, to stream: ConsoleStream)
    /// Why results did not reach standard output; nil also when its reader just went away.
    var outputFailure: String? { get }
    /// Whether a person reads the stream as it comes.
    func isTerminal(_ stream: ConsoleStream) -> Bool
    /// How many columns a stream's terminal has; nil when it is none, or does not say.
    func columns(of stream: ConsoleStream) -> Int?
    /// Everything that standard input holds.
    func readInput() throws -> [UInt8]
}

/// The two ways out of a process.
enum ConsoleStream {
    /// Results, and nothing else.
    case output
    /// Progress and errors.
    case error
}

extension Console {
    /// Whether text on the stream may be coloured.
    ///
    /// Only for a person at a terminal that is able to, who has not said no: `NO_COLOR` unset or
    /// empty, `TERM` not `dumb`, no `--no-color`.
    func mayColour(_ stream: ConsoleStream, isForbidden: Bool) -> Bool {
        isTerminal(stream) && !isForbidden && environment["NO_COLOR", default: ""].isEmpty
            && environment["TERM"] != "dumb"
    }

    /// How wide text on the stream may be: as `COLUMNS` says, as its terminal is, or else so wide.
    func width(of stream: ConsoleStream, otherwise usual: Int = 80) -> Int {
        environment["COLUMNS"].flatMap { Int($0) } ?? columns(of: stream) ?? usual
    }

    /// Prints an answer, or what it comes to alone, as wide as it may be, in colour where that is
    /// possible and not forbidden.
    func show(
        _ answer: AnswerDocument, isColourForbidden: Bool, isQuiet: Bool = false,
        otherwise usual: Int = AnswerDocument.width
    ) {
        let ink = Ink(isOn: mayColour(.output, isForbidden: isColourForbidden))
        let width = max(40, width(of: .output, otherwise: usual))
        write(
            isQuiet ? answer.verdictAlone(ink, width: width) : answer.text(ink, width: width),
            to: .output)
    }

    /// The file of a path, relative to the console's folder.
    func file(_ path: String) -> URL {
        URL(filePath: path, relativeTo: directory.appending(path: "", directoryHint: .isDirectory))
            .absoluteURL
    }
}
