import SquallAnswers
public import SquallFormat
import SquallLab

/// A command that is performed.
public protocol PerformedCommand {
    /// The words of the command line, and the tool and console it works with.
    var invocation: Invocation { get }
}

extension PerformedCommand {
    /// The words of the command line.
    public var arguments: Arguments { invocation.arguments }
    /// The tool that performs it.
    public var tool: Tool { invocation.tool }
    /// The streams and the environment.
    public var console: any Console { invocation.console }
    /// The request to end it, which signals make.
    public var interruption: Interruption { tool.interruption }
    /// True as soon as it was asked to end.
    var isStopped: @Sendable () -> Bool { { [interruption] in interruption.isRequested } }
    /// True if progress and notes are off.
    public var isQuiet: Bool { arguments.has("--quiet") }

    /// The words of the command without the options that decide nothing of an answer.
    var lastingWords: [String] {
        arguments.words(of: invocation.command, without: Option.withoutEffect)
    }
    /// The command that computes the answer again.
    var replayCommand: String { tool.command(lastingWords) }

    /// The profile that a word names; it may name files of arrivals as far as the options allow.
    func file(_ word: String) throws -> ProfileFile {
        try ProfileFile(
            word, console: console, allowsOutside: arguments.allowsOutside,
            populations: arguments.texts(Option.population.name),
            vocabulary: tool.runner.vocabulary)
    }

    /// The profile in a file, with the overrides of the command line.
    ///
    /// - Throws: everything that is wrong with it, or why it cannot be read.
    func profile(in file: ProfileFile) throws -> LoadedProfile {
        let loaded = try file.read(tool.runner.vocabulary, arguments.overrides())
        if let draft = loaded.draft {
            tell("note: a profile was drafted of \(file.path.visible).")
            draft.guesses.forEach(tell)
        }
        return loaded
    }

    /// The file that an option names; nil if it is not given.
    func outputFile(_ option: String) -> OutputFile? {
        arguments.text(option).map { OutputFile($0, console: console) }
    }

    /// Runs a profile to its end, or until the command is asked to end, and shows its progress.
    func run(
        _ profile: Profile, named name: String, _ options: LoadRun.Options, isShown: Bool = true
    ) throws -> RunResult {
        var line = StatusLine(console: console, isQuiet: isQuiet || !isShown)
        defer { line.clear() }
        var options = options
        options.isStopped = isStopped
        return try tool.runner.run(profile, named: name, options) { progress in
            line.show { progress.text(afterNanoseconds: $0) }
            return interruption.isRequested ? .stop : .continue
        }
    }

    /// Lets a body that notices a request to end keep results in a profile's folder, which is
    /// discarded if it fails or the process ends, unless something is prepared for that.
    func keeping<Value>(
        resultsOf profile: String, _ body: (ResultFolder) throws -> Value
    ) throws -> Value {
        let folder = try ResultFolder(of: profile, arguments, console)
        let cleanup = interruption.onExit { folder.end() }
        defer {
            interruption.forget(cleanup)
            folder.end()
        }
        return try interruption.awaited { try body(folder) }
    }

    /// Writes a line on standard error, unless the command is to be quiet.
    public func tell(_ text: String) {
        if !isQuiet { console.write(text + "\n", to: .error) }
    }

    /// Says how much of something was done, if that is not all of it.
    public func tellInterrupted(_ done: Int, of count: Int, _ noun: String) {
        guard done < count else { return }
        console.write("interrupted: \(done) of \(Units.counted(count, noun))\n", to: .error)
    }

    /// Prints lines on standard output.
    func print(_ lines: [String]) {
        console.write(lines.lines, to: .output)
    }

    /// Prints an answer as JSON if that is asked for, else as text.
    public func show(
        _ answer: @autoclosure () -> AnswerDocument, json: @autoclosure () -> String,
        isVerdictAlone: Bool = false, otherwise width: Int = AnswerDocument.width
    ) {
        if arguments.has("--json") { return console.write(json(), to: .output) }
        show(answer(), isVerdictAlone: isVerdictAlone, otherwise: width)
    }

    /// Prints an answer or only its verdict, in the available width, in colour where possible and
    /// not forbidden; in a brief text where the command has `--full` for the rest.
    func show(
        _ answer: AnswerDocument, isVerdictAlone: Bool = false,
        otherwise usual: Int = AnswerDocument.width
    ) {
        let width = max(40, console.width(of: .output, otherwise: usual))
        let isWhole = !invocation.command.options.contains { $0.name == "--full" }
        let text =
            isVerdictAlone
            ? answer.verdictAlone(style, width: width)
            : isWhole
                ? answer.text(style, width: width)
                : answer.text(style, width: width, isFull: arguments.has("--full"))
        console.write(text, to: .output)
    }

    /// The colours of standard output.
    var style: TerminalStyle {
        TerminalStyle(isOn: console.mayColour(.output, isForbidden: arguments.has("--no-color")))
    }

    /// The cost of a run for this machine.
    func preflight(_ profile: Profile) -> Preflight {
        Preflight(
            estimate: RunEstimate(profile), availableBytes: console.availableMemoryBytes)
    }
}
