public import Foundation
import SquallKernel

/// Starts this program again, or another build of it.
public protocol ChildProcess: Sendable {
    /// Runs the program with these words and waits for its end.
    func run(_ words: [String], _ surroundings: ChildSurroundings) throws -> ChildOutcome
}

/// The environment of a child process; its folder is this process's.
public struct ChildSurroundings: Sendable {
    let environment: [String: String]
    /// The program to start; nil for this program.
    var executable: URL?
    /// True to read its standard output.
    var keepsOutput: Bool

    /// The surroundings of a program, nil for this one, with these environment variables.
    public init(
        environment: [String: String], executable: URL? = nil, keepsOutput: Bool = false
    ) {
        (self.environment, self.executable, self.keepsOutput) =
            (environment, executable, keepsOutput)
    }
}

/// The end of a child process.
public struct ChildOutcome: Sendable {
    /// Its exit code, or 128 and the number of the signal that ended it.
    public let status: Int32
    /// Its text on standard error.
    public let errors: String
    /// Its standard output, if it was read.
    public var output = ""
    /// The processor time that it took, its own children included.
    public var processorNanoseconds: Int64 = 0
    /// The most memory that it had.
    public var peakMemoryBytes: Int64 = 0

    /// Checks that a run of a profile ended with results, whether its thresholds hold or not.
    ///
    /// - Throws: what it said otherwise.
    func checkResults(of run: String) throws(CommandFailure) {
        let code = ExitCode(rawValue: status) ?? .internalError
        guard code != .passed, code != .failed else { return }
        let words = errors.replacing("error: ", with: "")
        throw CommandFailure(code: code, description: "\(run) ended with \(status)\n\(words)")
    }
}

/// A child process of the operating system, which ends when this process must end.
struct OwnExecutable: ChildProcess {
    let interruption: Interruption

    func run(_ words: [String], _ surroundings: ChildSurroundings) throws -> ChildOutcome {
        guard let executable = surroundings.executable ?? Version.executable else {
            throw CommandFailure.inputOutput("cannot find the program's own file")
        }
        let errors = try ChildPipe()
        let output = surroundings.keepsOutput ? try ChildPipe() : nil
        let (child, cleanup) = try interruption.making {
            defer {
                errors.leaveWriting()
                output?.leaveWriting()
            }
            do {
                return try Spawn(
                    path: executable.systemPath, words: words,
                    environment: surroundings.environment,
                    streams: [STDOUT_FILENO: output?.writing, STDERR_FILENO: errors.writing]
                ).start()
            } catch {
                throw CommandFailure.system("cannot start \(executable.shown)", error)
            }
        } onExit: {
            OwnExecutable.end($0)
        }
        defer { interruption.forget(cleanup) }
        // One after the other: neither stream holds more than a pipe does before the other ends.
        let (text, results) = (Result { try errors.text() }, Result { try output?.text() })
        var status: Int32 = 0
        var usage = rusage()
        try SystemFailure.checked { wait4(child, &status, 0, &usage) }
        // After a signal, its number is in the low bits of the status.
        let signal = status & 0x7F
        return ChildOutcome(
            status: signal != 0 ? 128 + signal : (status >> 8) & 0xFF,
            errors: try text.get(), output: try results.get() ?? "",
            processorNanoseconds: ProcessUsage.processorNanoseconds(usage),
            peakMemoryBytes: ProcessUsage.peakMemoryBytes(usage))
    }

    /// Kills a child and waits until it has ended; its results need not survive, since their folder
    /// is removed too.
    private static func end(_ child: pid_t) {
        kill(child, SIGKILL)
        var ending = siginfo_t()
        // WNOWAIT leaves the status to the code that started the child.
        waitid(P_PID, id_t(child), &ending, WEXITED | WNOWAIT)
    }
}

/// A pipe to read a child's output.
private final class ChildPipe {
    let writing: Int32
    private let reading: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        do {
            try SystemFailure.checked { pipe(&ends) }
        } catch {
            throw CommandFailure.system("cannot make a pipe", error)
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (reading, writing) = (ends[0], ends[1])
    }

    deinit { close(reading) }

    /// Closes the writing end once the child has it, so that reading ends when the child does.
    func leaveWriting() { close(writing) }

    /// All output of the child.
    func text() throws -> String {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = try SystemFailure.checked { read(reading, &part, part.count) }
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += part[..<count]
        }
    }
}
