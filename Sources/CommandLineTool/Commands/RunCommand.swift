import Foundation
import SquallFormat
import SquallLab
import SquallPlanning
import SquallProfile
import SquallReport

extension Command {
    static let run = Command(
        name: "run", summary: "Run a profile in virtual time and report what it found.",
        operands: [Operand(name: "profile", count: .one, values: .profiles)],
        options: Option.ofProfile + [
            Option(
                name: "--out", value: .path("folder"),
                summary: "Where results go; Results by default."),
            Option(
                name: "--json", value: .none, summary: "Print the summary as one JSON document."),
            Option(
                name: "--trace", value: .text("users"),
                summary: "Record every call of user:17, app:scrolly or a list of them in"
                    + " trace.json, for ui.perfetto.dev."),
            Option(
                name: "--replications", value: .text("count"),
                summary: "Run so many seeds on all cores, or 'auto' for as many as make the"
                    + " figures precise, and give every figure an interval."),
        ] + Option.ofPlanning + [
            .quiet, .noColor,
            Option(
                name: "--journal", value: .path("file"),
                summary: "Write every event to a file.", isHidden: true),
        ],
        example: "squall run Profiles/quick.json --seed 7 --users 10k --for 10m",
        perform: { try RunCommand(arguments: $0, invocation: $1).perform() })
}

/// Runs a profile, keeps its results and prints its summary.
struct RunCommand: ProfileCommand {
    let arguments: Arguments
    let invocation: Invocation

    func perform() throws -> ExitCode {
        let file = try ProfileFile(arguments.operands[0], console: console)
        if let count = arguments.text("--replications") {
            return try ReplicationsCommand(arguments: arguments, invocation: invocation)
                .perform(ReplicationCount(count, of: arguments))
        }
        for option in ["--shard", "--max-replications", "--threads"] where arguments.has(option) {
            throw CommandFailure.usage("\(option) is for --replications")
        }
        let profile = try arguments.applied(
            to: file.profile(tool.runner.vocabulary, console: console, arguments.overrides()))
        let trace = try trace(of: profile)
        let folder = try ResultFolder(
            in: console.file(arguments.text("--out") ?? "Results"), profile: file.name)
        let duty = tool.interruption.beforeEnding { folder.discard() }
        defer { tool.interruption.forget(duty) }
        do {
            // A signal that comes while results are written finds them nearly done.
            return try tool.interruption.awaited {
                try perform(profile, file, tracing: trace, keepingIn: folder)
            }
        } catch {
            folder.discard()
            throw error
        }
    }

    private func perform(
        _ profile: Profile, _ file: ProfileFile, tracing trace: TraceSelection?,
        keepingIn folder: ResultFolder
    ) throws -> ExitCode {
        let started = (date: console.date, elapsed: console.elapsedNanoseconds)
        let result = try run(profile, file, tracing: trace)
        let manifest = manifest(ofRequests: result.requests, since: started)
        // Printed first, so that an answer is not lost with the place it was to be kept in.
        print(result.summary)
        let place = try folder.keep(result, manifest)
        if !arguments.has("--quiet") {
            console.write("results: \(place.path(percentEncoded: false))\n", to: .error)
        }
        return exitCode(of: result.summary.verdict)
    }

    /// Whom to record.
    private func trace(of profile: Profile) throws -> TraceSelection? {
        guard let text = arguments.text("--trace") else { return nil }
        guard let selection = TraceSelection(text) else {
            throw CommandFailure.usage(
                "--trace must be user:<number>, app:<name> or a list with commas, got '\(text)'")
        }
        if let stranger = selection.stranger(to: profile) {
            let apps = Set(profile.populations.map(\.app)).sorted().joined(separator: ", ")
            throw CommandFailure.usage(
                "--trace \(stranger) is nobody in this profile; its users are 0 to"
                    + " \(profile.populations.reduce(0) { $0 + $1.users } - 1), its apps \(apps)")
        }
        return selection
    }

    private func run(
        _ profile: Profile, _ file: ProfileFile, tracing trace: TraceSelection?
    ) throws -> RunResult {
        let journal = try arguments.text("--journal").map { try Journal(console.file($0)) }
        var line = ProgressLine(console: console, isQuiet: arguments.has("--quiet"))
        defer { line.clear() }
        let order = RunOrder(
            profile: profile, name: file.name, replayCommand: replayCommand(profile, file),
            journal: journal.map { journal in { journal.append($0) } }, trace: trace)
        let result = try tool.runner.run(order) { progress in
            line.show(progress)
            return tool.interruption.isRequested ? .stop : .continue
        }
        try journal?.close()
        return result
    }

    /// The command that repeats the run: seed always, other settings where they were given.
    private func replayCommand(_ profile: Profile, _ file: ProfileFile) -> String {
        let words = ["squall", "run", file.word, "--seed", "\(profile.seed)"]
        return (words + arguments.profileOptions).map(\.quotedForShell).joined(separator: " ")
    }

    private func exitCode(of verdict: RunSummary.Verdict) -> ExitCode {
        switch verdict {
        case .passed: .passed
        case .failed, .aborted: .failed
        case .partial: tool.interruption.exitCode
        }
    }

    private func print(_ summary: RunSummary) {
        if arguments.has("--json") {
            console.write(JSONDocument.text(summary), to: .output)
        } else {
            let mayColour = console.mayColour(.output, isForbidden: arguments.has("--no-color"))
            console.write(
                TextSummary(summary, ink: Ink(isOn: mayColour)).text, to: .output)
        }
    }
}

extension String {
    /// The word as a POSIX shell must be given it.
    var quotedForShell: String {
        let isPlain =
            !isEmpty
            && allSatisfy { character in
                character.isASCII && (character.isLetter || character.isNumber)
                    || "-_./:=+@%".contains(character)
            }
        return isPlain ? self : "'" + replacing("'", with: "'\\''") + "'"
    }
}
