import Foundation
import SquallFormat
import SquallLab
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
            .allowLarge, .quiet, .noColor,
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
        if RepeatedRun.isFolder(arguments.operands[0], console: console) {
            return try RepeatedRun(arguments: arguments, invocation: invocation).perform()
        }
        let file = try ProfileFile(
            arguments.operands[0], console: console,
            allowsOutside: arguments.has("--allow-outside"))
        let profile = try overridden(
            file.profile(tool.runner.vocabulary, console: console, arguments.overrides()))
        let trace = try trace(of: profile.profile)
        let preflight = Preflight(
            estimate: RunEstimate(profile.profile), availableBytes: console.availableMemoryBytes)
        let warning = try preflight.warning(allowingLarge: arguments.has("--allow-large"))
        if let warning, !arguments.has("--quiet") {
            console.write("note: \(warning)\n", to: .error)
        }
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
        _ profile: LoadedProfile, _ file: ProfileFile, tracing trace: TraceSelection?,
        keepingIn folder: ResultFolder
    ) throws -> ExitCode {
        let started = (date: console.date, elapsed: console.elapsedNanoseconds)
        let result = try run(profile.profile, file, tracing: trace)
        let source = Manifest.Source(
            profile: console.file(file.path).path(percentEncoded: false),
            overrides: arguments.profileOptions,
            durationNanoseconds: profile.profile.durationNanoseconds,
            trace: arguments.text("--trace"),
            files: profile.files)
        let manifest = manifest(of: result, source, since: started)
        // Printed first, so that an answer is not lost with the place it was to be kept in.
        print(result.summary)
        let place = try folder.keep(result, manifest, profile.document.document)
        if !arguments.has("--quiet") {
            console.write("results: \(place.path(percentEncoded: false))\n", to: .error)
        }
        return exitCode(of: result.summary.verdict)
    }

    /// The profile with what the command line says instead.
    private func overridden(_ loaded: LoadedProfile) throws -> LoadedProfile {
        var loaded = loaded
        let duration = loaded.profile.durationNanoseconds
        loaded.profile = try overridden(loaded.profile)
        let document = loaded.profile.written(in: loaded.document)
        let isReadable =
            (try? Profile.read(
                Array(document.document.utf8), file: "", vocabulary: tool.runner.vocabulary)) != nil
        if !isReadable {
            // The profile has faults after the end that --for gives it.
            let whole = loaded.profile.durationNanoseconds
            loaded.profile.durationNanoseconds = duration
            loaded.document = loaded.profile.written(in: loaded.document)
            loaded.profile.durationNanoseconds = whole
        } else {
            loaded.document = document
        }
        return loaded
    }

    private func overridden(_ profile: Profile) throws -> Profile {
        var profile = profile
        profile.seed = arguments.seed("--seed") ?? profile.seed
        profile.durationNanoseconds =
            arguments.nanoseconds("--for") ?? profile.durationNanoseconds
        if case .first(let warmUp) = profile.warmUp, warmUp >= profile.durationNanoseconds {
            throw CommandFailure.usage(
                "--for must be longer than the warm-up of \(Units.exact(nanoseconds: warmUp)),"
                    + " got \(Units.exact(nanoseconds: profile.durationNanoseconds))")
        }
        if let problem = profile.rowProblem {
            throw CommandFailure.usage("output.timeseriesInterval \(problem)")
        }
        guard let users = arguments.count("--users") else { return profile }
        let populations = Int64(profile.populations.count)
        guard users >= populations else {
            throw CommandFailure.usage(
                "--users must be at least \(populations), one for each population, got \(users)")
        }
        return profile.scaled(toUsers: users)
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
        let words = ["squall", "run", file.canonicalWord(console), "--seed", "\(profile.seed)"]
        return (words + arguments.profileOptions).map(\.quotedForShell).joined(separator: " ")
    }

    private func manifest(
        of result: RunResult, _ source: Manifest.Source,
        since started: (date: String, elapsed: Int64)
    ) -> Manifest {
        Manifest(
            version: Version.current, commit: Version.commit, build: Version.build,
            toolchain: Version.toolchain, buildMode: Version.buildMode,
            system: ProcessInfo.processInfo.operatingSystemVersionString,
            architecture: Version.architecture,
            processors: Int64(ProcessInfo.processInfo.activeProcessorCount),
            command: ProcessInfo.processInfo.arguments, source: source, startedAt: started.date,
            wallNanoseconds: console.elapsedNanoseconds - started.elapsed,
            requests: result.requests, peakMemoryBytes: Version.peakMemoryBytes)
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
