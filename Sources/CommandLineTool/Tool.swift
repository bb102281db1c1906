import SquallAnswers
import SquallFormat
import SquallKernel
import SquallLab
import SquallSockets

/// The command line as a value: words in, text and an exit code out.
///
/// **Start here** to read this module. A command's surroundings are given: the terminal as a
/// ``Console``, simulation as a ``ProfileRunner``, other processes as a ``ChildProcess``.
public struct Tool {
    let runner: any ProfileRunner
    /// The request to end its commands, which signals make.
    public let interruption: Interruption
    /// The way to start this program again.
    public let child: any ChildProcess
    /// The executable's name in commands that it prints; executables with their own apps differ.
    var name = Self.standardName
    /// The name of `squall`.
    public static let standardName = "squall"
    var commands = Command.all

    /// Performs the command that the words give.
    public func main(_ words: [String], console: any Console) -> ExitCode {
        do {
            let code = try perform(words, console)
            guard let reason = console.outputFailure else { return code }
            throw CommandFailure.inputOutput("cannot write to standard output: \(reason)")
        } catch {
            let failure = failure(error, of: words.first ?? "")
            report(failure, about: words, console)
            return failure.code
        }
    }

    /// The failure that ends a command which throws an error.
    func failure(_ error: any Error, of command: String) -> CommandFailure {
        switch error {
        case let failure as CommandFailure: return failure
        case let stop as StopRequested:
            return CommandFailure(code: interruption.exitCode, description: stop.description)
        case let invalid as InvalidProfile:
            let isFileInnocent = invalid.problems.allSatisfy(\.isOverride)
            return CommandFailure(
                code: isFileInnocent ? .usage : .invalidInput, description: invalid.description)
        case let problem as PlanningProblem: return .usage(problem.description)
        case let problem as ExplorationError: return .invalid(problem.description)
        case ReplicationStoreError.damaged(let file, _, let cause?):
            return .system("cannot read \(file.shown)", cause)
        case ReplicationStoreError.unkept(let folder, let cause):
            return .system("cannot write to \(folder.shown)", cause)
        case let damage as ReplicationStoreError: return .invalid(damage.description)
        default:
            return error.systemNumber == 0
                ? CommandFailure(code: .internalError, description: "\(error)")
                : .system("squall \(command) could not go on", error)
        }
    }

    /// A command of this tool, to be pasted into a shell.
    func command(_ words: [String]) -> String {
        ([name] + words).map(\.quotedForShell).joined(separator: " ")
    }

    private func perform(_ words: [String], _ console: any Console) throws -> ExitCode {
        guard let name = words.first else {
            console.write(HelpText.short(commands), to: .error)
            return .usage
        }
        let rest = Array(words.dropFirst())
        switch name {
        case "--version":
            guard rest.isEmpty else { throw CommandFailure.usage("--version stands alone") }
            let lines = ["squall \(Version.current)", TLSLibrary.version(mayLoad: true)]
            console.write(lines.compactMap(\.self).lines, to: .output)
            return .passed
        case "-h", "--help":
            return try perform(["help"] + rest, console)
        default:
            return try perform(command(named: name), rest, console)
        }
    }

    private func perform(
        _ command: Command, _ words: [String], _ console: any Console
    ) throws -> ExitCode {
        let options = words.prefix { $0 != "--" }
        if options.contains("-h") || options.contains("--help") {
            console.write(HelpText.text(of: command), to: .output)
            return .passed
        }
        let defaults = try OptionDefaults(for: command, among: commands, console).all
        console.write(OptionDefaults.notes(console.environment.keys, commands).lines, to: .error)
        let arguments = try Arguments.parse(words, for: command, defaults: defaults)
        return try command.perform(
            Invocation(command: command, arguments: arguments, tool: self, console: console))
    }

    private func command(named name: String) throws -> Command {
        if let command = commands.named(name) { return command }
        let kind = name.hasPrefix("-") ? "option" : "command"
        let names = commands.map(\.name) + ["--help", "--version"]
        let owner = Command.elsewhere[name].map { " It is a command of \($0)." }
        throw CommandFailure.usage(
            "squall has no \(kind) '\(name)'." + (owner ?? Spelling.hint(for: name, among: names)))
    }

    private func report(
        _ failure: CommandFailure, about words: [String], _ console: any Console
    ) {
        console.report(failure.description)
        guard failure.code == .usage else { return }
        let command = words.first.flatMap(commands.named)
        let help = command.map { "\($0.program) help \($0.name)" } ?? "squall help"
        console.write("See: \(help)\n", to: .error)
    }
}

extension Tool {
    /// The tool of `squall`, to perform command lines inside another command; where it is strict, a
    /// job outside the simulated world ends a run.
    public init(isStrict: Bool, interruption: Interruption, child: any ChildProcess) {
        self.init(
            runner: InstalledRunner(isStrict: isStrict), interruption: interruption, child: child)
    }
}
