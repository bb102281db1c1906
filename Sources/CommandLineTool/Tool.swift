import SquallFormat
import SquallKernel
import SquallLab
import SquallProof
import SquallReport

/// The command line as a value: words in, text and an exit code out.
///
/// **Start here** to read this module. A command's surroundings are given: the terminal as a
/// ``Console``, simulation as a ``ProfileRunner``, other processes as a ``ChildProcess``.
struct Tool {
    let runner: any ProfileRunner
    let benchmarks: [Benchmark]
    let interruption: Interruption
    let child: any ChildProcess
    /// The executable's name in commands that it prints; executables with their own apps differ.
    var name = Self.standardName
    static let standardName = "squall"
    var selfTests = SelfTestCase.all
    /// The self-tests of a station, by its number of workers and their utilisation.
    var selfTestPoint: @Sendable (_ workers: Int, _ load: Double) -> [SelfTestCase] = {
        SelfTestCase.point(workers: $0, load: $1)
    }

    /// Performs the command that the words give.
    func main(_ words: [String], console: any Console) -> ExitCode {
        do {
            let code = try perform(words, console)
            guard let reason = console.outputFailure else { return code }
            throw CommandFailure.inputOutput("cannot write to standard output: \(reason)")
        } catch let failure as CommandFailure {
            report(failure, about: words, console)
            return failure.code
        } catch let stop as StopRequested {
            report(
                CommandFailure(code: interruption.exitCode, description: stop.description),
                about: words, console)
            return interruption.exitCode
        } catch {
            let failure =
                error.systemNumber == 0
                ? CommandFailure(code: .internalError, description: "\(error)")
                : .system("squall \(words.first ?? "") could not go on", error)
            report(failure, about: words, console)
            return failure.code
        }
    }

    /// A command of this tool, to be pasted into a shell.
    func command(_ words: [String]) -> String {
        ([name] + words).map(\.quotedForShell).joined(separator: " ")
    }

    private func perform(_ words: [String], _ console: any Console) throws -> ExitCode {
        guard let name = words.first else {
            console.write(HelpText.short, to: .error)
            return .usage
        }
        let rest = Array(words.dropFirst())
        switch name {
        case "--version":
            guard rest.isEmpty else { throw CommandFailure.usage("--version stands alone") }
            console.write("squall \(Version.current)\n", to: .output)
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
        let arguments = try Arguments.parse(words, for: command)
        return try command.perform(arguments, Invocation(tool: self, console: console))
    }

    private func command(named name: String) throws -> Command {
        if let command = Command.named(name) { return command }
        let kind = name.hasPrefix("-") ? "option" : "command"
        let names = Command.all.map(\.name) + ["--help", "--version"]
        throw CommandFailure.usage(
            "squall has no \(kind) '\(name)'." + Spelling.hint(for: name, among: names))
    }

    private func report(
        _ failure: CommandFailure, about words: [String], _ console: any Console
    ) {
        for line in failure.description.split(separator: "\n") {
            console.write("error: \(String(line).visible)\n", to: .error)
        }
        guard failure.code == .usage else { return }
        let command = words.first.flatMap(Command.named).map { " " + $0.name } ?? ""
        console.write("See: squall help\(command)\n", to: .error)
    }
}
