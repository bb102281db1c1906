import Foundation
import SquallFormat
import SquallLive

/// The command that stands in front of a live server: in a process group of its own, which ends at
/// the latest with this process.
final class ServedCommand {
    /// The command as a shell would be given it.
    let text: String
    private let spawn: Spawn
    private let interruption: Interruption
    private var running: (process: pid_t, cleanup: Interruption.Cleanup)?
    /// True as soon as the signal that this process was sent has been passed on.
    private var isSignalled = false
    /// True if this process has lent its terminal to the command.
    private let lendsTerminal = isatty(STDIN_FILENO) == 1 && tcgetpgrp(STDIN_FILENO) == getpgrp()

    /// Finds the program of a command.
    ///
    /// - Throws: that there is none.
    init(
        _ words: [String], environment: [String: String], outputToErrors: Bool,
        _ interruption: Interruption
    ) throws {
        text = words.map(\.quotedForShell).joined(separator: " ")
        self.interruption = interruption
        let path = try Self.path(of: words[0], in: environment["PATH"] ?? Self.usualPath)
        spawn = Spawn(
            path: path, words: Array(words.dropFirst()), name: words[0], environment: environment,
            streams: outputToErrors ? [STDOUT_FILENO: STDERR_FILENO] : [:], leadsGroup: true)
        if lendsTerminal { signal(SIGTTOU, SIG_IGN) }
    }

    private static let usualPath = "/usr/bin:/bin"

    private static func path(of word: String, in list: String) throws -> String {
        let places =
            word.contains("/") ? [word] : list.split(separator: ":").map { "\($0)/\(word)" }
        var isFolder: ObjCBool = false
        let files = places.filter {
            FileManager.default.fileExists(atPath: $0, isDirectory: &isFolder)
                && !isFolder.boolValue
        }
        guard let file = files.first(where: { access($0, X_OK) == 0 }) else {
            throw CommandFailure.usage(
                files.first.map { "\($0) is not executable" }
                    ?? "there is no command '\(word)'\(word.contains("/") ? "" : " in PATH")")
        }
        return file
    }

    var isRunning: Bool { running != nil }

    /// The reason for which its program cannot live in stepped time, with the program's file; `nil`
    /// where it can.
    ///
    ///  - Throws: that there is no program as a script names it.
    func unfitness() throws -> (file: String, reason: String)? {
        var file = spawn.path
        // Scripts of scripts; the system follows five as well.
        for _ in 0..<5 {
            let (reason, next) = SteppedTime.unfitness(of: file)
            if let reason { return (file, reason) }
            guard let next else { return nil }
            file = try Self.path(of: next, in: spawn.environment["PATH"] ?? Self.usualPath)
        }
        return nil
    }

    /// Starts it, with more in its environment, some of it by what is there; returns the process.
    ///
    /// - Throws: why it could not be started.
    func start(
        adding more: [String: String], _ others: ([String: String]) -> [String: String]
    ) throws -> Int32 {
        var spawn = spawn
        spawn.environment.merge(more) { $1 }
        spawn.environment.merge(others(spawn.environment)) { $1 }
        let (process, cleanup) = try interruption.making {
            try spawn.start()
        } onExit: {
            kill(-$0, SIGKILL)
        }
        running = (process, cleanup)
        lendTerminal(to: process)
        return process
    }

    /// Its end, if it has ended since this was last asked; what it left running is ended.
    func ending() -> CommandRun.End? {
        guard let process = running?.process else { return nil }
        var status: Int32 = 0
        guard waitpid(process, &status, WNOHANG | WUNTRACED) == process else {
            passOnSignal()
            return nil
        }
        // The low byte tells a stop (0x7F), an exit (0) and a signal.
        guard status & 0xFF != 0x7F else {
            stopWithCommand(process)
            return nil
        }
        endGroup(process)
        let number = status & 0x7F
        if number == SIGINT, lendsTerminal { interruption.request(.interrupt) }
        return number != 0 ? .signalled(number) : .exited((status >> 8) & 0xFF)
    }

    /// Ends it now with everything that it started.
    func end() {
        guard let process = running?.process else { return }
        kill(-process, SIGKILL)
        var status: Int32 = 0
        _ = try? SystemFailure.checked { waitpid(process, &status, 0) }
        endGroup(process)
    }

    /// Asks it to end, and ends it when it has not within a while.
    func stop() {
        guard let process = running?.process else { return }
        kill(-process, SIGTERM)
        kill(-process, SIGCONT)
        for _ in 0..<Self.patience {
            var facts = siginfo_t()
            let isKnown = waitid(P_PID, id_t(process), &facts, WEXITED | WNOHANG | WNOWAIT) == 0
            if isKnown, facts.si_signo == SIGCHLD { break }
            poll(nil, 0, 10)
        }
        end()
    }

    /// In hundredths of a second.
    private static let patience = 200

    /// Ends what is left of the group of a process that was waited for.
    private func endGroup(_ process: pid_t) {
        kill(-process, SIGKILL)
        if let cleanup = running?.cleanup { interruption.forget(cleanup) }
        running = nil
        lendTerminal(to: getpgrp())
    }

    private func passOnSignal() {
        guard let asked = interruption.requestedSignal, !isSignalled, let process = running?.process
        else {
            return
        }
        isSignalled = true
        kill(-process, asked.number)
    }

    /// Lets a group read the terminal, and get the signals of its keys.
    private func lendTerminal(to group: pid_t) {
        guard lendsTerminal else { return }
        tcsetpgrp(STDIN_FILENO, group)
        if group != getpgrp() { kill(-group, SIGCONT) }
    }

    /// The command was stopped by Ctrl-Z: stops this process as well, and goes on with it.
    private func stopWithCommand(_ process: pid_t) {
        guard lendsTerminal else { return }
        lendTerminal(to: getpgrp())
        kill(0, SIGSTOP)
        lendTerminal(to: process)
    }
}
