import Foundation

/// Starts this very program again.
protocol ChildProcess: Sendable {
    /// Runs the program with these words and waits for its end.
    func run(_ words: [String], _ surroundings: ChildSurroundings) throws -> ChildOutcome
}

/// What a child process finds around it.
struct ChildSurroundings {
    let directory: URL
    let environment: [String: String]
}

/// How a child process ended.
struct ChildOutcome {
    let status: Int32
    /// What it wrote to standard error.
    let errors: String
}

/// A child process of the operating system, which ends when this one has to.
struct OwnExecutable: ChildProcess {
    let interruption: Interruption

    func run(_ words: [String], _ surroundings: ChildSurroundings) throws -> ChildOutcome {
        guard let executable = Bundle.main.executableURL else {
            throw CommandFailure.inputOutput("cannot find the program's own file")
        }
        let process = Process()
        process.executableURL = executable
        process.arguments = words
        process.environment = surroundings.environment
        process.currentDirectoryURL = surroundings.directory
        let errors = Pipe()
        process.standardOutput = FileHandle.nullDevice
        process.standardError = errors
        try process.run()
        let number = process.processIdentifier
        // Its results go with the folder they are in, so it need not keep any.
        let duty = interruption.beforeEnding { kill(number, SIGKILL) }
        defer { interruption.forget(duty) }
        let text = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        // A child that a signal ended reports that signal's number.
        let isSignal = process.terminationReason == .uncaughtSignal
        return ChildOutcome(
            status: isSignal ? 128 + process.terminationStatus : process.terminationStatus,
            errors: String(decoding: text, as: UTF8.self))
    }
}
