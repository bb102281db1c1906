import Foundation

/// Starts this very program again, or another build of it.
protocol ChildProcess: Sendable {
    /// Runs the program with these words and waits for its end.
    func run(_ words: [String], _ surroundings: ChildSurroundings) throws -> ChildOutcome
}

/// What a child process finds around it.
struct ChildSurroundings {
    let directory: URL
    let environment: [String: String]
    /// The program to start; this very one unless another build is named.
    var executable: URL?
    /// Whether anybody wants what it writes to standard output.
    var keepsOutput = false
}

/// How a child process ended.
struct ChildOutcome {
    let status: Int32
    /// What it wrote to standard error.
    let errors: String
    /// What it wrote to standard output, if somebody wanted it.
    var output = ""
}

/// A child process of the operating system, which ends when this one has to.
struct OwnExecutable: ChildProcess {
    let interruption: Interruption

    func run(_ words: [String], _ surroundings: ChildSurroundings) throws -> ChildOutcome {
        guard let executable = surroundings.executable ?? Bundle.main.executableURL else {
            throw CommandFailure.inputOutput("cannot find the program's own file")
        }
        let process = Process()
        process.executableURL = executable
        process.arguments = words
        process.environment = surroundings.environment
        process.currentDirectoryURL = surroundings.directory
        let (output, errors) = (Pipe(), Pipe())
        if surroundings.keepsOutput {
            process.standardOutput = output
        } else {
            process.standardOutput = FileHandle.nullDevice
        }
        process.standardError = errors
        let (_, duty) = try interruption.making {
            do { try process.run() } catch {
                // Foundation keeps the number of a spawn that failed to itself: there is no room.
                let cause = error.systemNumber == 0 ? SystemFailure(EAGAIN) : error
                throw CommandFailure.system("cannot start \(executable.shown)", cause)
            }
            return process.processIdentifier
        } beforeEnding: {
            OwnExecutable.end($0)
        }
        defer { interruption.forget(duty) }
        // One after the other: neither stream holds more than a pipe does before the other ends.
        defer { process.waitUntilExit() }
        let text = try errors.fileHandleForReading.readToEnd() ?? Data()
        let results =
            surroundings.keepsOutput ? try output.fileHandleForReading.readToEnd() : nil
        process.waitUntilExit()
        // A child that a signal ended reports that signal's number.
        let isSignal = process.terminationReason == .uncaughtSignal
        return ChildOutcome(
            status: isSignal ? 128 + process.terminationStatus : process.terminationStatus,
            errors: String(decoding: text, as: UTF8.self),
            output: String(decoding: results ?? Data(), as: UTF8.self))
    }

    /// Ends a child at once and waits until it writes nothing any more: its results go with the
    /// folder they are in, so it need not keep any.
    private static func end(_ child: pid_t) {
        kill(child, SIGKILL)
        var ending = siginfo_t()
        // Foundation takes the status itself.
        waitid(P_PID, id_t(child), &ending, WEXITED | WNOWAIT)
    }
}
