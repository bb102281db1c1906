import Foundation

/// Starts this very program again, or another build of it.
protocol ChildProcess: Sendable {
    /// Runs the program with these words and waits for its end.
    func run(_ words: [String], _ surroundings: ChildSurroundings) throws -> ChildOutcome
}

/// What a child process finds around it, in the folder of this one.
struct ChildSurroundings {
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
///
/// Started without Foundation's `Process`, which ends this process or waits for ever where one of
/// the many calls fails that it makes beside starting it.
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
                return try Self.start(
                    executable.systemPath, words, surroundings,
                    output: output?.writing, errors: errors.writing)
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
        try SystemFailure.checked { waitpid(child, &status, 0) }
        // The status of a child that a signal ended has that signal's number in its low bits.
        let signal = status & 0x7F
        return ChildOutcome(
            status: signal != 0 ? 128 + signal : (status >> 8) & 0xFF,
            errors: try text.get(), output: try results.get() ?? "")
    }

    /// Starts a program; nothing of it is said where no descriptor is given for its output.
    private static func start(
        _ path: String, _ words: [String], _ surroundings: ChildSurroundings, output: Int32?,
        errors: Int32
    ) throws -> pid_t {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
        #else
            var actions = posix_spawn_file_actions_t()
        #endif
        try check(posix_spawn_file_actions_init(&actions))
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let output {
            try check(posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO))
        } else {
            try check(
                posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0))
        }
        try check(posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO))
        let environment = surroundings.environment.map { "\($0.key)=\($0.value)" }.sorted()
        var child: pid_t = 0
        try withStrings([path] + words) { arguments in
            try withStrings(environment) { environment in
                try check(posix_spawn(&child, path, &actions, nil, arguments, environment))
            }
        }
        return child
    }

    /// Throws the number that a call answers with when it fails.
    private static func check(_ number: Int32) throws {
        guard number == 0 else { throw SystemFailure(number) }
    }

    /// Lends strings as C has lists of them.
    private static func withStrings<Value>(
        _ strings: [String],
        _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) throws
            -> Value
    ) throws -> Value {
        var copies = strings.map { strdup($0) } + [nil]
        defer { for copy in copies { free(copy) } }
        guard !copies.dropLast().contains(nil) else { throw SystemFailure(ENOMEM) }
        return try copies.withUnsafeMutableBufferPointer { buffer in
            guard let list = buffer.baseAddress else { throw SystemFailure(ENOMEM) }
            return try body(list)
        }
    }

    /// Ends a child at once and waits until it writes nothing any more: its results go with the
    /// folder they are in, so it need not keep any.
    private static func end(_ child: pid_t) {
        kill(child, SIGKILL)
        var ending = siginfo_t()
        // Who started it takes the status.
        waitid(P_PID, id_t(child), &ending, WEXITED | WNOWAIT)
    }
}

/// A pipe to read from what a child writes.
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

    /// Once the child has it: what is read ends when the child does.
    func leaveWriting() { close(writing) }

    /// All that the child writes.
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
